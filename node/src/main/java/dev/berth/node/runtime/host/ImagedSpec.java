package dev.berth.node.runtime.host;

import dev.berth.node.image.ImageConfig;
import dev.berth.node.runtime.ContainerSpec;
import dev.berth.node.runtime.Program;
import dev.berth.node.runtime.RefusedException;
import dev.berth.node.runtime.RefusedException.Reason;
import dev.berth.node.runtime.User;
import dev.berth.node.runtime.host.Accounts.Account;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;

/// What an image says where the pod's author says nothing: what runs, with what, where and as whom.
///
/// @param spec as the author has it
/// @param image what the image's author says
/// @param accounts of the image
record ImagedSpec(ContainerSpec spec, ImageConfig image, Accounts accounts) {
  /// @param group of the image's user, if it says one
  private record Who(int uid, OptionalInt group, Optional<Account> account) {}

  ContainerSpec whole() throws RefusedException {
    var who = who();
    int gid =
        spec.engine().runAsGroup().isPresent()
            ? spec.user().gid()
            : who.group().orElseGet(() -> who.account().map(Account::gid).orElse(0));
    var groups = new TreeSet<>(spec.user().groups());
    if (!spec.engine().strictGroups())
      who.account().ifPresent(account -> groups.addAll(accounts.groupsOf(account.name())));
    var environment = new HashMap<>(image.environment());
    environment.putAll(spec.program().environment());
    who.account()
        .map(Account::home)
        .filter(home -> home.startsWith("/"))
        .ifPresent(home -> environment.putIfAbsent("HOME", home));
    var directory = spec.program().workingDirectory();
    return new ContainerSpec(
        spec.id(),
        spec.image(),
        spec.hostName(),
        new Program(command(), environment, directory.isEmpty() ? absolute() : directory),
        new User(who.uid(), gid, List.copyOf(groups)),
        spec.rights(),
        spec.root(),
        spec.mounts(),
        spec.devices(),
        spec.log(),
        spec.terminationMessagePath(),
        spec.engine());
  }

  /// `command` stands for the image's entry point and all that follows it, `args` for what follows
  /// it alone.
  private List<String> command() throws RefusedException {
    var engine = spec.engine();
    var command = new ArrayList<String>();
    boolean own = !engine.command().isEmpty();
    command.addAll(own ? engine.command() : image.entrypoint());
    if (!engine.arguments().isEmpty()) command.addAll(engine.arguments());
    else if (!own) command.addAll(image.command());
    if (command.isEmpty())
      throw new RefusedException(
          Reason.CREATE_CONTAINER_CONFIG_ERROR,
          "no command specified: neither the pod nor the image \"%s\" has one"
              .formatted(spec.image()));
    return command;
  }

  private String absolute() {
    var directory = image.workingDirectory();
    return directory.isEmpty() || directory.startsWith("/") ? directory : "/" + directory;
  }

  private Who who() throws RefusedException {
    if (spec.engine().runAsUser().isPresent()) {
      int uid = spec.user().uid();
      return new Who(uid, OptionalInt.empty(), accounts.numbered(uid));
    }
    int colon = image.user().indexOf(':');
    var user = colon < 0 ? image.user() : image.user().substring(0, colon);
    var group = colon < 0 ? "" : image.user().substring(colon + 1);
    var number = user.isEmpty() ? OptionalInt.of(0) : Accounts.number(user);
    if (spec.engine().runAsNonRoot()) {
      if (number.isEmpty())
        throw new RefusedException(
            Reason.CREATE_CONTAINER_CONFIG_ERROR,
            "container has runAsNonRoot and image has non-numeric user (%s), cannot verify user is non-root"
                .formatted(user));
      if (number.getAsInt() == 0)
        throw new RefusedException(Reason.CREATE_CONTAINER_CONFIG_ERROR, spec.rootRefusal());
    }
    var account = number.isPresent() ? accounts.numbered(number.getAsInt()) : accounts.named(user);
    if (number.isEmpty() && account.isEmpty()) throw unknown("user", user);
    return new Who(number.orElseGet(() -> account.orElseThrow().uid()), group(group), account);
  }

  private OptionalInt group(String group) throws RefusedException {
    if (group.isEmpty()) return OptionalInt.empty();
    var number = Accounts.number(group);
    if (number.isPresent()) return number;
    var named = accounts.group(group);
    if (named.isEmpty()) throw unknown("group", group);
    return named;
  }

  private RefusedException unknown(String kind, String name) {
    return new RefusedException(
        Reason.CREATE_CONTAINER_ERROR,
        "unable to find %s %s, as which the image \"%s\" runs: there is none in its /etc/%s; say runAsUser in the pod"
            .formatted(kind, name, spec.image(), kind.equals("user") ? "passwd" : "group"));
  }
}
