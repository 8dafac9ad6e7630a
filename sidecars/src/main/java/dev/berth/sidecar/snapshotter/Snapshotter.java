package dev.berth.sidecar.snapshotter;

import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.CREATE_DELETE_SNAPSHOT;
import static dev.berth.csi.v1.GroupControllerServiceCapability.RPC.Type.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT;

import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Told;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Step;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.snapshot.SnapshotClass;
import dev.berth.kube.snapshot.SnapshotContent;
import dev.berth.kube.snapshot.SnapshotKinds;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.connection.Means;
import dev.berth.sidecar.dispatch.Concerned;
import dev.berth.sidecar.part.Part;
import dev.berth.sidecar.part.Sidecar;
import dev.berth.sidecar.part.Standing;
import dev.berth.sidecar.part.Work;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Takes and deletes the snapshots of one driver, as the csi-snapshotter of
/// kubernetes-csi/external-snapshotter does.
public final class Snapshotter implements Decider<ObjectKey, View, SnapshotEffect> {
  /// Those that may wait for their class: one with nothing left to be done for it does not.
  private static final Index<SnapshotContent> UNFINISHED_BY_CLASS =
      new Index<>(
          SnapshotKinds.CONTENT,
          "unfinished, by driver and class",
          content ->
              isFinished(content)
                  ? List.of()
                  : content.className().map(name -> slot(content.driver(), name)).stream()
                      .toList());

  private final String driver;
  private final ContentDecision contents;

  Snapshotter(DriverFacts driver, SnapshotterOptions options) {
    this.driver = driver.name();
    contents = new ContentDecision(driver, options);
  }

  /// The sidecar as a whole.
  public static Part part(DriverFacts driver, SnapshotterOptions options) {
    if (!driver.can(CREATE_DELETE_SNAPSHOT))
      return Part.of(
          Sidecar.SNAPSHOTTER, Standing.off("the driver lacks CREATE_DELETE_SNAPSHOT")); // SNAP-60
    var asked = new Told<>(Questions.TOPIC);
    var questions = new Questions(asked);
    var works =
        new ArrayList<>(
            List.of(
                new Work(
                    "csi-snapshotter-content", of(driver, options, questions), options.pace())));
    boolean groups = driver.can(CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT) && options.groups();
    if (groups)
      works.add(
          new Work(
              "csi-snapshotter-groupsnapshotcontent",
              groups(driver.name(), options, questions),
              options.pace()));
    return new Part(
        Sidecar.SNAPSHOTTER,
        Standing.on("CREATE_DELETE_SNAPSHOT, groups " + (groups ? "on" : "off")),
        works,
        List.of(asked));
  }

  /// SNAP-70.
  private static Concern<Means, ?, ?, ?> groups(
      String driver, SnapshotterOptions options, Questions questions) {
    return new Concern<>(
        Sidecar.SNAPSHOTTER.role(driver),
        new GroupSnapshotter(driver, options),
        means ->
            new GroupEffects(
                means.groups(options.timeout()),
                means.api(),
                means.events(),
                means.time(),
                means.turns(),
                questions));
  }

  private static Concern<Means, ?, ?, ?> of(
      DriverFacts driver, SnapshotterOptions options, Questions questions) {
    return new Concern<>(
        Sidecar.SNAPSHOTTER.role(driver.name()),
        new Snapshotter(driver, options),
        means ->
            new SnapshotEffects(
                driver,
                means.controller(options.timeout()),
                means.api(),
                means.events(),
                means.time(),
                means.turns(),
                questions));
  }

  @Override
  public String name() {
    return "snapshotter/" + driver;
  }

  @Override
  public List<Trigger<?, ObjectKey>> triggers() {
    return List.of(
        Trigger.on(Concerned.OF_CONTENT.share(driver), this::ofContent),
        Trigger.on(SnapshotKinds.CLASS, this::ofClass),
        Trigger.none(Questions.TOPIC)); // a wait says when to ask again
  }

  private Stream<ObjectKey> ofContent(Change<SnapshotContent> change, Snapshot objects) {
    var content = change.latest();
    return content.driver().equals(driver) ? Stream.of(content.meta().key()) : Stream.empty();
  }

  private Stream<ObjectKey> ofClass(Change<SnapshotClass> change, Snapshot objects) {
    return objects.by(UNFINISHED_BY_CLASS, slot(driver, change.latest().meta().name())).stream()
        .map(content -> content.meta().key());
  }

  /// One that is ready still waits if it is being deleted, or if its mark is to go.
  private static boolean isFinished(SnapshotContent content) {
    return content.isReady() && !content.meta().deleting() && !ContentDecision.marked(content);
  }

  /// Neither can have a slash.
  private static String slot(String driver, String className) {
    return driver + "/" + className;
  }

  @Override
  public View view(Facts facts, Instant now) {
    return new View(facts, facts.of(Questions.TOPIC), now);
  }

  @Override
  public Step decide(View view, ObjectKey content) {
    return contents.decide(view, content);
  }

  @Override
  public Class<SnapshotEffect> effectType() {
    return SnapshotEffect.class;
  }

  @Override
  public Stream<ObjectKey> about(Ref subject, Snapshot objects) {
    return subject.as(SnapshotKinds.CONTENT);
  }
}
