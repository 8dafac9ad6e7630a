package dev.berth.sidecar.snapshotter;

import dev.berth.csi.v1.CreateVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.DeleteVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.GetVolumeGroupSnapshotRequest;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Volume.SecretRef;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.snapshot.DeletionPolicy;
import dev.berth.kube.snapshot.GroupContent;
import dev.berth.kube.snapshot.SnapshotAnnotations;
import dev.berth.kube.snapshot.SnapshotClass;
import dev.berth.kube.snapshot.SnapshotFinalizers;
import dev.berth.sidecar.snapshotter.GroupEffect.LetGoOfGroup;
import dev.berth.sidecar.snapshotter.GroupEffect.LookUpGroup;
import dev.berth.sidecar.snapshotter.GroupEffect.RemoveGroup;
import dev.berth.sidecar.snapshotter.GroupEffect.ReportGroup;
import dev.berth.sidecar.snapshotter.GroupEffect.TakeGroup;
import dev.berth.sidecar.snapshotter.GroupEffect.UnmarkGroup;
import dev.berth.volume.snapshot.ClassParameters;
import dev.berth.volume.snapshot.ClassSecrets;
import dev.berth.volume.snapshot.ClassSecrets.Resolved;
import dev.berth.volume.snapshot.ClassSecrets.Subject;
import dev.berth.volume.snapshot.ClassSecrets.Unresolvable;
import dev.berth.volume.snapshot.ClassSecrets.Use;
import dev.berth.volume.snapshot.GoWords;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Takes one VolumeGroupSnapshotContent of our driver to where its author wants it (SNAP-72,
/// SNAP-75): as [ContentDecision] with one volume.
final class GroupDecision {
  private static final Duration USUAL = Duration.ofMinutes(5);

  private final String driver;
  private final SnapshotterOptions options;

  GroupDecision(String driver, SnapshotterOptions options) {
    this.driver = driver;
    this.options = options;
  }

  Step decide(View view, ObjectKey key) {
    return switch (view.group(key)) {
      case Missing<GroupContent> _ -> new Settled();
      case Found<GroupContent>(var content) when !isOurs(view, content) -> new Settled();
      case Found<GroupContent>(var content) when deletable(content) -> delete(content);
      case Found<GroupContent>(var content) when isUntaken(content) -> take(view, content);
      case Found<GroupContent>(var content) when content.isReady() && marked(content) ->
          new Act(new UnmarkGroup(key, new Seen<>(content)));
      case Found<GroupContent>(var content) when content.isReady() -> new Settled();
      case Found<GroupContent>(var content) -> check(view, content);
    };
  }

  private boolean isOurs(View view, GroupContent content) {
    return content.driver().equals(driver)
        && (content.handles().isPresent() || !volumes(content).isEmpty())
        && content
            .className()
            .flatMap(name -> view.groupClass(name).found())
            .map(SnapshotClass::driver)
            .filter(name -> !name.equals(driver))
            .isEmpty();
  }

  private static List<String> volumes(GroupContent content) {
    return content.volumeHandles().orElse(List.of());
  }

  private static boolean isUntaken(GroupContent content) {
    return !volumes(content).isEmpty() && content.status().isEmpty();
  }

  static boolean marked(GroupContent content) {
    return content.meta().hasAnnotation(SnapshotAnnotations.GROUP_BEING_CREATED);
  }

  private static boolean deletable(GroupContent content) {
    if (!content.meta().deleting()) return false;
    if (content.handles().isPresent() && content.snapshot().uid().isEmpty()) return true;
    return !marked(content)
        && content.meta().hasAnnotation(SnapshotAnnotations.GROUP_BEING_DELETED);
  }

  /// A content whose status tells no handle is known by what its author wrote (SNAP-57).
  private static Step delete(GroupContent content) {
    var key = content.meta().key();
    boolean held = content.meta().hasFinalizer(SnapshotFinalizers.GROUP_CONTENT_BOUND);
    var handle =
        content
            .handle()
            .or(() -> content.handles().map(GroupContent.Handles::group).filter(_ -> held));
    if (handle.isEmpty() || content.deletionPolicy() != DeletionPolicy.DELETE)
      return held ? new Act(new LetGoOfGroup(key, new Seen<>(content))) : new Settled();
    var request =
        DeleteVolumeGroupSnapshotRequest.newBuilder()
            .setGroupSnapshotId(handle.get())
            .addAllSnapshotIds(snapshots(content))
            .build();
    return secret(content)
        .<Step>map(named -> new Act(new RemoveGroup(key, request, named, new Seen<>(content))))
        .orElseGet(() ->
            untilSecretNamed(content)
                .tell(
                    Notice.warning(
                        content.ref(),
                        Reasons.GROUP_SNAPSHOT_DELETE_ERROR,
                        "Failed to get snapshot credentials: "
                            + GroupWords.secretUnnamed(name(content)))));
  }

  private static List<String> snapshots(GroupContent content) {
    var told = content.shown().members().stream().map(GroupContent.Member::snapshotHandle).toList();
    return told.isEmpty()
        ? content.handles().map(GroupContent.Handles::snapshots).orElse(List.of())
        : told;
  }

  private Step check(View view, GroupContent content) {
    var again = view.again(content.meta());
    if (again.isPresent()) return untilReady(content).lookAgainAt(again.get());
    return content.handles().isPresent()
        ? lookUp(view, content, content.handles().get())
        : take(view, content);
  }

  private Step take(View view, GroupContent content) {
    if (content.className().isEmpty())
      return told(
          content,
          noInput(
              content,
              "failed to take group snapshot %s without a group snapshot class"
                  .formatted(name(content))),
          Wait.on(content.ref(), "spec.volumeGroupSnapshotClassName")
              .since(content.meta().created())
              .until("it names a class")
              .remedy("name a VolumeGroupSnapshotClass of driver " + driver));
    return switch (view.groupClass(content.className().get())) {
      case Missing<SnapshotClass>(var missing) ->
          told(
              content,
              noInput(content, GoWords.notListed(missing)),
              untilClassExists(content, missing));
      case Found<SnapshotClass>(var by) -> take(content, by);
    };
  }

  private Step take(GroupContent content, SnapshotClass by) {
    var unknown = ClassParameters.unknown(by.parameters());
    // SNAP-A9
    if (unknown.isPresent())
      return told(
          content,
          "failed to remove CSI Parameters of prefixed keys: "
              + ClassParameters.reserved(unknown.get()),
          untilParametersAreRight(content, by));
    if (content.snapshot().uid().isEmpty())
      return told(
          content,
          "failed to take group snapshot of the volumes %s: %s"
              .formatted(
                  volumes(content),
                  GoWords.quoted(
                      "cannot create group snapshot. Group snapshot content %s not bound to a group snapshot"
                          .formatted(name(content)))),
          Wait.on(content.ref(), "spec.volumeGroupSnapshotRef.uid")
              .since(content.meta().created())
              .until("a group snapshot is bound to it")
              .remedy("create a VolumeGroupSnapshot instead: it makes its own content"));
    var request =
        CreateVolumeGroupSnapshotRequest.newBuilder()
            .setName(options.groupNames().of(content.snapshot().uid()))
            .addAllSourceVolumeIds(volumes(content))
            .putAllParameters(ClassParameters.forDriver(by.parameters()))
            .putAllParameters(metadata(content))
            .build();
    return secret(content)
        .<Step>map(named ->
            new Act(new TakeGroup(content.meta().key(), request, named, new Seen<>(content)))
                .then(untilReady(content)))
        .orElseGet(() ->
            told(
                content,
                noInput(content, GroupWords.secretUnnamed(name(content))),
                untilSecretNamed(content)));
  }

  /// SNAP-19.
  private Map<String, String> metadata(GroupContent content) {
    var metadata = new LinkedHashMap<String, String>();
    if (!options.extraMetadata()) return metadata;
    var snapshot = content.snapshot().key();
    metadata.put(ClassParameters.PREFIX + "volumegroupsnapshot/name", snapshot.name());
    metadata.put(ClassParameters.PREFIX + "volumegroupsnapshot/namespace", snapshot.namespace());
    metadata.put(ClassParameters.PREFIX + "volumegroupsnapshotcontent/name", name(content));
    return metadata;
  }

  private Step lookUp(View view, GroupContent content, GroupContent.Handles handles) {
    var request =
        GetVolumeGroupSnapshotRequest.newBuilder()
            .setGroupSnapshotId(content.handle().orElse(handles.group()))
            .addAllSnapshotIds(handles.snapshots())
            .build();
    if (content.className().isEmpty()) return lookUp(content, request, Optional.empty());
    return switch (view.groupClass(content.className().get())) {
      case Missing<SnapshotClass>(var missing) ->
          told(
              content,
              "failed to get group snapshot class %s for group snapshot content %s: %s"
                  .formatted(missing.key().name(), name(content), GoWords.notListed(missing)),
              untilClassExists(content, missing));
      case Found<SnapshotClass>(var by) ->
          switch (ClassSecrets.resolve(
              Use.GROUP_GET, by.parameters(), Subject.groupContent(name(content)))) {
            case Resolved(var secret) -> lookUp(content, request, secret);
            case Unresolvable(var why) ->
                told(
                    content,
                    "failed to get secret reference for group snapshot content %s: %s"
                        .formatted(name(content), why),
                    untilParametersAreRight(content, by));
          };
    };
  }

  private Step lookUp(
      GroupContent content, GetVolumeGroupSnapshotRequest request, Optional<SecretRef> secret) {
    return new Act(new LookUpGroup(content.meta().key(), request, secret, new Seen<>(content)))
        .then(untilReady(content));
  }

  /// @return empty: the annotations name one half of a Secret; in it empty: they name none
  private static Optional<Optional<SecretRef>> secret(GroupContent content) {
    var name = content.meta().annotation(SnapshotAnnotations.GROUP_DELETION_SECRET_NAME);
    var namespace = content.meta().annotation(SnapshotAnnotations.GROUP_DELETION_SECRET_NAMESPACE);
    if (name.isEmpty() || namespace.isEmpty()) return Optional.of(Optional.empty());
    if (name.get().isEmpty() || namespace.get().isEmpty()) return Optional.empty();
    return Optional.of(Optional.of(new SecretRef(namespace.get(), name.get())));
  }

  private static Step told(GroupContent content, String why, Wait until) {
    var message = GroupWords.message(content, why);
    var shown = content.shown().error().flatMap(error -> error.message());
    return shown.equals(Optional.of(message))
        ? until
        : new Act(new ReportGroup(content.meta().key(), message, new Seen<>(content))).then(until);
  }

  private static String noInput(GroupContent content, String why) {
    return GroupWords.noInput(name(content), why);
  }

  private static String name(GroupContent content) {
    return content.meta().name();
  }

  private Wait untilReady(GroupContent content) {
    return Wait.on(content.ref(), "status.readyToUse")
        .since(content.meta().created())
        .until("driver %s says that the group snapshot is ready".formatted(driver))
        .ifLate(USUAL, "look at the log of driver " + driver);
  }

  private Wait untilClassExists(GroupContent content, Ref missing) {
    return Wait.on(missing)
        .since(content.meta().created())
        .until("group snapshot class %s exists".formatted(missing.key().name()))
        .remedy("create the VolumeGroupSnapshotClass, with driver " + driver);
  }

  private static Wait untilParametersAreRight(GroupContent content, SnapshotClass by) {
    return Wait.on(by.ref(), "parameters")
        .since(content.meta().created())
        .until("its parameters are right")
        .remedy("make VolumeGroupSnapshotClass %s anew".formatted(by.meta().name()));
  }

  private static Wait untilSecretNamed(GroupContent content) {
    return Wait.on(content.ref(), "metadata.annotations")
        .since(content.meta().created())
        .until("its annotations name a Secret by name and namespace; one of them is empty")
        .remedy("set both annotations of the Secret, or take both off");
  }
}
