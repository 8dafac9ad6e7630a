package dev.berth.explain.voice;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.CsiNode;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Lease;
import dev.berth.kube.model.Pod;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.volume.Users;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Whether somebody is there to do what a component would do. What a decision says is the same
/// whether its component runs or not; that is told by its Lease (XPL-08), by its driver's
/// registration (C11, D09, X08), and last by nothing having come of it for too long.
final class Attendance {
  /// How long a driver may take where its sidecar is known to live (C10, D07).
  private static final Duration AT_WORK = Duration.ofMinutes(5);

  /// And where nothing tells whether it does (A04, A05, X03).
  private static final Duration UNTOLD = Duration.ofMinutes(1);

  /// What mounting or starting may take (N14).
  private static final Duration ON_A_NODE = Duration.ofMinutes(2);

  /// And removing a pod (T07).
  private static final Duration COLLECTING = Duration.ofSeconds(20);

  private Attendance() {}

  /// A component of Kubernetes itself, which holds a Lease of this name.
  static Voice ofController(Voice controller, String lease) {
    return controller.with((subject, step, objects, now) ->
        step instanceof Act
            ? missing(controller, lease(lease, objects), "start the " + controller.component(), now)
                .orElse(step)
            : step);
  }

  /// Who removes pods that no agent ends, which takes a moment (T07).
  static Voice ofCollector(Voice collector) {
    return collector.with((subject, step, objects, now) ->
        step instanceof Act(_, var then) && then.isEmpty()
            ? silent(
                    collector,
                    subject,
                    COLLECTING,
                    "its lease does not say that it has stopped",
                    "look at the log of the pod garbage collector",
                    objects,
                    now)
                .orElse(step)
            : step);
  }

  /// A sidecar of a driver.
  static Voice ofSidecar(Voice sidecar, String driver, String leaseName) {
    return sidecar.with((subject, step, objects, now) -> {
      if (!(step instanceof Act act)) return step;
      var lease = lease(leaseName, objects);
      var remedy =
          "start driver %s and its sidecars; if they run, their logs say what is wrong"
              .formatted(driver);
      var missing = missing(sidecar, lease, remedy, now);
      if (missing.isPresent()) return missing.get();
      if (lease.isEmpty() && !registered(objects).contains(driver))
        return untilRegistered(subject, driver, objects);
      if (act.then().isPresent() || sidecar.failure(subject, objects, now).isPresent()) return step;
      return silent(
              sidecar,
              subject,
              lease.isPresent() ? AT_WORK : UNTOLD,
              lease.isPresent()
                  ? "its lease says that it runs"
                  : "it has no lease that could tell whether it runs",
              "look whether driver %s and its %s run, and at their logs"
                  .formatted(driver, sidecar.component().split(" ", 2)[0]),
              objects,
              now)
          .orElse(step);
    });
  }

  /// The agents of nodes, which live (N14).
  static Voice ofAgent(Voice agent) {
    return agent.with((subject, step, objects, now) ->
        step instanceof Act(_, var then)
                && then.isEmpty()
                && agent.failure(subject, objects, now).isEmpty()
            ? silent(
                    agent,
                    subject,
                    ON_A_NODE,
                    "its lease does not say that it has stopped",
                    "look at the agent's log on the node, and at the driver there",
                    objects,
                    now)
                .orElse(step)
            : step);
  }

  private static Optional<Step> missing(
      Voice voice, Optional<Lease> lease, String remedy, Instant now) {
    return lease
        .filter(it -> !it.isHeld(now))
        .map(it -> {
          var sentence = Wait.on(it.ref(), "spec.renewTime");
          return it.renewed()
              .map(sentence::since)
              .orElse(sentence)
              .until(
                  "the %s runs again: %s"
                      .formatted(
                          voice.component(),
                          it.holder().isEmpty()
                              ? "it has given up its lease, being stopped or without its driver"
                              : "its lease has run out, so it seems to have stopped"))
              .remedy(remedy);
        });
  }

  private static Wait untilRegistered(Ref subject, String driver, Snapshot objects) {
    if (subject.resource().equals(Kinds.ATTACHMENT.resource())
        && Voices.meta(subject, objects).filter(Meta::deleting).isPresent())
      return untilReinstalled(subject, driver, objects);
    var sentence = Wait.on(Kinds.CSI_DRIVER.ref(ObjectKey.cluster(driver)));
    var others = String.join(", ", registered(objects));
    return Voices.meta(subject, objects)
        .map(Attendance::began)
        .map(sentence::since)
        .orElse(sentence)
        .until("driver %s has come: no driver %s is registered".formatted(driver, driver))
        .remedy(
            "start driver %s with its sidecars; if the name is wrong, create class and claim anew (registered: %s)"
                .formatted(driver, others.isEmpty() ? "none" : others));
  }

  /// Its driver went before it had detached (X08).
  private static Wait untilReinstalled(Ref subject, String driver, Snapshot objects) {
    var sentence = Wait.on(Kinds.CSI_DRIVER.ref(ObjectKey.cluster(driver)));
    return Voices.meta(subject, objects)
        .map(Attendance::began)
        .map(sentence::since)
        .orElse(sentence)
        .until(
            "driver %s, which was taken away too early, is there again and has detached the volume"
                .formatted(driver))
        .danger(
            "as long as the storage system has it attached, taking the finalizer off by hand lets"
                + " two nodes write",
            "install driver %s again and let it detach before it is taken away".formatted(driver));
  }

  /// Neither success nor failure has been heard of for longer than is usual.
  private static Optional<Step> silent(
      Voice voice,
      Ref subject,
      Duration usual,
      String life,
      String remedy,
      Snapshot objects,
      Instant now) {
    return since(subject, objects)
        .filter(began -> now.isAfter(began.plus(usual)))
        .map(began ->
            Wait.on(subject)
                .since(began)
                .until(
                    "the %s has done its part, of which nothing was heard; %s"
                        .formatted(voice.component(), life))
                .ifLate(usual, remedy));
  }

  /// Since when there has been something to do about the object.
  private static Optional<Instant> since(Ref subject, Snapshot objects) {
    if (subject.resource().equals(Kinds.POD.resource()))
      return objects
          .get(Kinds.POD, subject.key())
          .found()
          .flatMap(
              pod -> pod.meta().deleted().or(() -> pod.scheduled().flatMap(Pod.Condition::since)));
    if (subject.resource().equals(Kinds.VOLUME.resource()))
      return objects
          .get(Kinds.VOLUME, subject.key())
          .found()
          .flatMap(volume -> volume.meta().deleted().or(volume::phaseSince));
    var selected =
        objects.get(Kinds.CLAIM, subject.key()).found().stream()
            .filter(_ -> subject.resource().equals(Kinds.CLAIM.resource()))
            .filter(claim -> !claim.meta().deleting())
            .flatMap(claim -> claim.nodeSelected().stream())
            .findFirst();
    if (selected.isPresent()) return selected;
    var began = Voices.meta(subject, objects).map(Attendance::began);
    var used =
        Stream.of(subject)
            .filter(it -> it.resource().equals(Kinds.CLAIM.resource()))
            .flatMap(it -> objects.get(Kinds.CLAIM, it.key()).found().stream())
            .flatMap(new Users(objects)::of)
            .filter(pod -> !pod.finished())
            .map(pod -> pod.meta().created())
            .min(Instant::compareTo);
    // A claim may have waited for its first pod for any time.
    return began.map(at -> used.filter(at::isBefore).orElse(at));
  }

  private static Instant began(Meta meta) {
    return meta.deleted().orElse(meta.created());
  }

  /// In whatever namespace: sidecars hold theirs where they run. Of several, the last renewed.
  private static Optional<Lease> lease(String name, Snapshot objects) {
    return objects.all(Kinds.LEASE).stream()
        .filter(lease -> lease.meta().name().equals(name))
        .filter(lease -> lease.renewed().isPresent())
        .max((one, other) -> one.renewed().orElseThrow().compareTo(other.renewed().orElseThrow()));
  }

  private static SortedSet<String> registered(Snapshot objects) {
    var names = new TreeSet<String>();
    objects.all(Kinds.CSI_DRIVER).forEach(driver -> names.add(driver.meta().name()));
    names.addAll(
        objects.all(Kinds.CSI_NODE).stream()
            .flatMap(node -> node.drivers().stream())
            .map(CsiNode.Driver::name)
            .collect(Collectors.toSet()));
    return names;
  }
}
