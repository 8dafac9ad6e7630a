package dev.berth.cli.nodeagent;

import dev.berth.cli.Problem;
import dev.berth.cli.flags.Given;
import dev.berth.cli.nodeserver.ServerSettings;
import dev.berth.cli.stack.Machine;
import dev.berth.kube.model.Node.Taint;
import dev.berth.node.identity.NodeFacts;
import dev.berth.node.layout.Layout;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// What a kubelet's command line says of a node.
record NodeSettings(Given given) {
  private static final Set<String> EFFECTS = Set.of("NoSchedule", "PreferNoSchedule", "NoExecute");
  private static final int MISUNDERSTOOD = 2;
  private static final int LONGEST_NAME = 253;
  private static final Pattern SUBDOMAIN =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

  /// What can be refused without asking anybody.
  ///
  /// @throws Problem if something cannot be
  void check() {
    var name = name();
    if (name.length() > LONGEST_NAME || !SUBDOMAIN.matcher(name).matches())
      throw refused(
          "a node cannot be named \"%s\": its name has to be a DNS subdomain, of lower case letters, digits, - and .; give another with --hostname-override"
              .formatted(name));
    if (given.whole("max-pods") < 0)
      throw refused(
          "--max-pods, or maxPods of --config: %d pods are fewer than none"
              .formatted(given.whole("max-pods")));
    health();
    RuntimeChoice.asked(given);
  }

  /// As the kubelet names it: the host's name, unless another is given.
  String name() {
    var name = given.find("hostname-override").orElseGet(NodeSettings::hostName).strip();
    return name.toLowerCase(Locale.ROOT);
  }

  private static String hostName() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/hostname"));
    } catch (IOException nameless) {
      throw new Problem("this host has no name; give the node one with --hostname-override");
    }
  }

  /// Made if it is missing. Where the root leads through a link, what it leads to counts.
  Layout layout() throws IOException {
    var root = Path.of(given.text("root-dir")).toAbsolutePath();
    return new Layout(Files.createDirectories(root).toRealPath());
  }

  /// @param server the API server's URL
  /// @param runtime who runs the containers; empty: the built-in runtime
  NodeFacts facts(URI server, Optional<String> runtime) {
    var machine = Machine.facts(name(), address(server), given.whole("max-pods"));
    var labels = new LinkedHashMap<>(machine.labels());
    labels.putAll(labels());
    var info = new LinkedHashMap<>(machine.info());
    runtime.ifPresent(version -> info.put("containerRuntimeVersion", version));
    return new NodeFacts(
        machine.name(),
        labels,
        machine.capacity(),
        info,
        machine.address(),
        taints(),
        given.text("provider-id"),
        ServerSettings.port(given));
  }

  private Map<String, String> labels() {
    var labels = new LinkedHashMap<String, String>();
    for (var pair : words("node-labels")) {
      var sides = pair.split("=", 2);
      if (sides[0].isBlank())
        throw refused("--node-labels %s: write key=value,key=value".formatted(pair));
      labels.put(sides[0], sides.length == 2 ? sides[1] : "");
    }
    return labels;
  }

  private List<Taint> taints() {
    var taints = new ArrayList<Taint>();
    for (var text : words("register-with-taints")) {
      int end = text.lastIndexOf(':');
      var sides = text.substring(0, Math.max(end, 0)).split("=", 2);
      var effect = text.substring(end + 1);
      if (sides[0].isBlank() || !EFFECTS.contains(effect))
        throw refused(
            "--register-with-taints %s: write key=value:effect, with the effect NoSchedule, PreferNoSchedule or NoExecute"
                .formatted(text));
      taints.add(new Taint(sides[0], sides.length == 2 ? sides[1] : "", effect));
    }
    return taints;
  }

  private List<String> words(String flag) {
    return given.all(flag).stream()
        .flatMap(text -> List.of(text.split(",")).stream())
        .map(String::strip)
        .filter(word -> !word.isEmpty())
        .toList();
  }

  /// The first of `--node-ip`; else the address from which the API server is reached.
  private InetAddress address(URI server) {
    var asked = words("node-ip").stream().findFirst();
    try {
      return asked.map(InetAddress::ofLiteral).orElseGet(() -> towards(server));
    } catch (IllegalArgumentException wrong) {
      throw refused("--node-ip %s: write an IP address".formatted(asked.orElse("")));
    }
  }

  /// Nothing is sent: the kernel only says which way it would go.
  private static InetAddress towards(URI server) {
    try (var socket = new DatagramSocket()) {
      socket.connect(new InetSocketAddress(server.getHost(), port(server)));
      return socket.getLocalAddress();
    } catch (SocketException | IllegalArgumentException | java.io.UncheckedIOException unknown) {
      return InetAddress.getLoopbackAddress();
    }
  }

  static int port(URI server) {
    return server.getPort() >= 0 ? server.getPort() : server.getScheme().equals("http") ? 80 : 443;
  }

  /// Where probes and Prometheus are answered; empty: nowhere.
  Optional<InetSocketAddress> health() {
    int port = given.whole("healthz-port");
    if (port == 0) return Optional.empty();
    try {
      return Optional.of(
          new InetSocketAddress(InetAddress.ofLiteral(given.text("healthz-bind-address")), port));
    } catch (IllegalArgumentException wrong) {
      throw refused(
          "--healthz-bind-address %s, --healthz-port %s: write an IP address and a port"
              .formatted(given.text("healthz-bind-address"), port));
    }
  }

  private static Problem refused(String words) {
    return new Problem(words, MISUNDERSTOOD);
  }
}
