package dev.berth.explain.voice;

import dev.berth.controller.roster.Controllers;
import dev.berth.controller.workload.Workload;
import dev.berth.explain.upstream.Readings;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.snapshot.SnapshotKinds;
import dev.berth.kube.snapshot.SnapshotResources;
import dev.berth.sidecar.DriverSidecars;
import dev.berth.sidecar.SidecarDeciders;
import dev.berth.sidecar.SidecarOptions;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.connection.Supposition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// All components that decide over storage, ready to be asked and never to act.
public final class Voices {
  /// What a snapshot must hold to be explained.
  public static final List<Kind<?>> KINDS =
      Stream.of(
              Controllers.STORAGE,
              List.of(Kinds.LEASE, Kinds.EVENT),
              Workload.KINDS,
              SnapshotKinds.ALL,
              DriverSidecars.KINDS,
              BareMetalVoice.KINDS,
              Readings.KINDS)
          .<Kind<?>>flatMap(List::stream)
          .distinct()
          .toList();

  /// Of what objects somebody decides.
  public static final List<Resource> SUBJECTS =
      Stream.of(
              Stream.of(
                  Resources.PODS,
                  Resources.CLAIMS,
                  Resources.VOLUMES,
                  Resources.ATTACHMENTS,
                  Resources.ATTRIBUTES_CLASSES,
                  Resources.NODES,
                  SnapshotResources.SNAPSHOTS,
                  SnapshotResources.CONTENTS,
                  SnapshotResources.GROUP_CONTENTS,
                  Resources.STATEFUL_SETS),
              Readings.SUBJECTS.stream(),
              BareMetalVoice.SUBJECTS.stream())
          .flatMap(each -> each)
          .toList();

  private static final List<Voice> BEFORE_DECIDERS = voices(Readings.BEFORE_DECIDERS);
  private static final List<Voice> AFTER_DECIDERS = voices(Readings.AFTER_DECIDERS);

  private final Snapshot objects;
  private final List<Voice> controllers = controllers().toList();
  private final Map<String, List<Voice>> sidecars = new HashMap<>();

  public Voices(Snapshot objects) {
    this.objects = objects;
  }

  /// Those who may have a word about an object, in the order of the life cycle: of two that wait
  /// for one object, the first is told.
  public List<Voice> about(Ref subject) {
    var voices = new ArrayList<Voice>();
    voices.add(NodeVoice.aboutNodes());
    voices.addAll(BEFORE_DECIDERS);
    voices.addAll(controllers);
    for (var driver : Drivers.about(subject, objects))
      voices.addAll(
          sidecars.computeIfAbsent(
              driver, name -> sidecars(Supposition.of(name, objects)).toList()));
    voices.add(NodeVoice.aboutVolumes());
    voices.add(NodeVoice.aboutContainers());
    voices.add(NodeVoice.aboutReadiness());
    voices.addAll(BareMetalVoice.all());
    voices.addAll(AFTER_DECIDERS);
    return voices;
  }

  private static List<Voice> voices(List<Readings.Named> readings) {
    return readings.stream()
        .map(it -> Voice.of(it.component(), Failures.UNTOLD, it.steps()::of))
        .toList();
  }

  private static Stream<Voice> controllers() {
    return Controllers.of(Controllers.Options.EXPLAINING).concerns().stream()
        .map(concern -> {
          var voice = voice(concern);
          var lease = concern.role().lease();
          var attended = lease.map(name -> Attendance.ofController(voice, name)).orElse(voice);
          return switch (concern.role().component()) {
            case "scheduler" -> Attempts.ofScheduler(attended);
            case "binder" -> Attempts.ofBinder(attended);
            case "pod garbage collector" -> Attendance.ofCollector(attended);
            case String _ -> attended;
          };
        });
  }

  private static Stream<Voice> sidecars(DriverFacts driver) {
    return SidecarDeciders.of(driver, SidecarOptions.DEFAULT).all().stream()
        .map(concern -> {
          var lease = concern.role().lease().orElseThrow();
          return Attendance.ofSidecar(
              Registration.ofProvisioner(voice(concern), driver.name()), driver.name(), lease);
        });
  }

  private static Voice voice(Concern<?, ?, ?, ?> concern) {
    var role = concern.role();
    // C17: what a set was refused only events tell.
    var failures =
        role.component().startsWith("statefulset")
            ? Failures.inEvents(Set.of("FailedCreate"))
            : Failures.of(role.failures());
    var voice = Voice.of(role.component(), concern.decider(), failures);
    // An act after which it waits for a node is the note of its patience, which upstream keeps.
    return voice.with((subject, step, objects, now) ->
        step instanceof Act && subject.resource().equals(Resources.ATTACHMENTS)
            ? voice
                .steps(subject, new DetachAsked(objects, now), now)
                .filter(later ->
                    later instanceof Wait wait && wait.on().resource().equals(Resources.NODES))
                .findFirst()
                .orElse(step)
            : step);
  }

  /// The object's metadata; empty: there is no such object, or none of these kinds.
  public static Optional<Meta> meta(Ref ref, Snapshot objects) {
    return KINDS.stream()
        .filter(kind -> kind.resource().equals(ref.resource()))
        .flatMap(kind -> objects.get(kind, ref.key()).found().stream())
        .<Meta>map(KubeObject::meta)
        .findFirst();
  }
}
