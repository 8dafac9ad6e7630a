package dev.berth.sidecar.snapshotter;

import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.GET_SNAPSHOT;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.LIST_SNAPSHOTS;

import dev.berth.csi.v1.CreateSnapshotRequest;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Volume.SecretRef;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.snapshot.DeletionPolicy;
import dev.berth.kube.snapshot.SnapshotAnnotations;
import dev.berth.kube.snapshot.SnapshotClass;
import dev.berth.kube.snapshot.SnapshotContent;
import dev.berth.kube.snapshot.SnapshotFinalizers;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.snapshotter.SnapshotEffect.Adopt;
import dev.berth.sidecar.snapshotter.SnapshotEffect.LetGo;
import dev.berth.sidecar.snapshotter.SnapshotEffect.LookUp;
import dev.berth.sidecar.snapshotter.SnapshotEffect.Origin;
import dev.berth.sidecar.snapshotter.SnapshotEffect.Remove;
import dev.berth.sidecar.snapshotter.SnapshotEffect.Secret;
import dev.berth.sidecar.snapshotter.SnapshotEffect.Take;
import dev.berth.sidecar.snapshotter.SnapshotEffect.Unmark;
import dev.berth.volume.snapshot.ClassParameters;
import dev.berth.volume.snapshot.ClassSecrets;
import dev.berth.volume.snapshot.ClassSecrets.Resolved;
import dev.berth.volume.snapshot.ClassSecrets.Subject;
import dev.berth.volume.snapshot.ClassSecrets.Unresolvable;
import dev.berth.volume.snapshot.ClassSecrets.Use;
import dev.berth.volume.snapshot.GoWords;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Takes one VolumeSnapshotContent of our driver to where its author wants it.
final class ContentDecision {
  private final DriverFacts driver;
  private final SnapshotterOptions options;
  private final ContentWaits waits;

  ContentDecision(DriverFacts driver, SnapshotterOptions options) {
    this.driver = driver;
    this.options = options;
    waits = new ContentWaits(driver.name());
  }

  Step decide(View view, ObjectKey key) {
    return switch (view.content(key)) {
      case Missing<SnapshotContent> _ -> new Settled();
      case Found(var content) when !isOurs(view, content) -> new Settled(); // SNAP-60
      case Found(var content) when options.node().isPresent() && isStray(content) ->
          adopt(view, content, options.node().get()); // SNAP-81
      case Found(var content) when deletable(content) -> delete(content);
      case Found(var content) when isUntaken(content) -> take(view, content); // SNAP-61
      case Found(var content) when content.isReady() && marked(content) ->
          new Act(new Unmark(key, new Seen<>(content))); // SNAP-65
      case Found(var content) when content.isReady() -> rest(content);
      case Found(var content) -> check(view, content); // SNAP-64
    };
  }

  /// Named by driver, by its class's driver, and by our node if there is one for each (SNAP-81).
  boolean isOurs(View view, SnapshotContent content) {
    return content.driver().equals(driver.name())
        && (options.node().stream()
                .allMatch(node ->
                    node.equals(content.meta().labels().get(SnapshotAnnotations.MANAGED_BY)))
            || isStray(content))
        && content
            .className()
            .flatMap(name -> view.snapshotClass(name).found())
            .map(SnapshotClass::driver)
            .filter(name -> !name.equals(driver.name()))
            .isEmpty();
  }

  /// Who wrote it knows a snapshot, and need not know its node. Upstream's sidecars leave it alone
  /// for ever; of ours, the one whose driver has the snapshot takes it.
  private boolean isStray(SnapshotContent content) {
    return content.snapshotHandle().isPresent()
        && !content.meta().labels().containsKey(SnapshotAnnotations.MANAGED_BY)
        && (driver.can(LIST_SNAPSHOTS) || driver.can(GET_SNAPSHOT));
  }

  private Step adopt(View view, SnapshotContent content, String node) {
    var wait = waits.untilANodeHasIt(content);
    var again = view.again(content.meta());
    if (again.isPresent()) return wait.lookAgainAt(again.get());
    var secret =
        content
            .className()
            .flatMap(name -> view.snapshotClass(name).found())
            .map(by ->
                ClassSecrets.resolve(Use.LIST, by.parameters(), Subject.content(name(content))))
            .flatMap(
                found -> found instanceof Resolved(var named) ? named : Optional.<SecretRef>empty())
            .map(named -> new Secret(named, Origin.CLASS));
    return new Act(new Adopt(content.meta().key(), node, secret, new Seen<>(content))).then(wait);
  }

  private static boolean isUntaken(SnapshotContent content) {
    return content.volumeHandle().isPresent()
        && content.status().isEmpty()
        && !content.isGroupMember();
  }

  static boolean marked(SnapshotContent content) {
    return content.meta().hasAnnotation(SnapshotAnnotations.BEING_CREATED);
  }

  /// SNAP-55: nobody has ever had it, or whoever had it goes and no snapshot is coming into being.
  private static boolean deletable(SnapshotContent content) {
    if (!content.meta().deleting()) return false;
    if (content.snapshotHandle().isPresent() && content.snapshot().uid().isEmpty()) return true;
    return !marked(content) && content.meta().hasAnnotation(SnapshotAnnotations.BEING_DELETED);
  }

  /// SNAP-56; a content whose status tells no handle is known by what its author wrote (SNAP-57).
  private static Step delete(SnapshotContent content) {
    boolean held = content.meta().hasFinalizer(SnapshotFinalizers.CONTENT_BOUND);
    var handle = content.handle().or(() -> content.snapshotHandle().filter(_ -> held));
    boolean remove =
        content.deletionPolicy() == DeletionPolicy.DELETE
            && content.shown().groupHandle().isEmpty()
            && !content.isGroupMember();
    var key = content.meta().key();
    if (remove && handle.isPresent())
      return secret(content)
          .<Step>map(named -> new Act(new Remove(key, handle.get(), named, new Seen<>(content))))
          .orElseGet(() -> ContentWaits.untilSecretNamedAtDeletion(content));
    return held ? new Act(new LetGo(key, new Seen<>(content))) : new Settled();
  }

  private static Step rest(SnapshotContent content) {
    return content.meta().deleting() ? ContentWaits.untilItsSnapshotGoes(content) : new Settled();
  }

  private Step check(View view, SnapshotContent content) {
    var again = view.again(content.meta()); // SNAP-68
    if (again.isPresent()) return waits.untilReady(content).lookAgainAt(again.get());
    var member = content.shown().groupHandle().isPresent();
    if (content.snapshotHandle().isPresent()) return lookUp(view, content);
    if (member && content.handle().isPresent()) return lookUp(view, content);
    return content.isGroupMember() ? ContentWaits.untilGroupIsTaken(content) : take(view, content);
  }

  private Step take(View view, SnapshotContent content) {
    if (content.className().isEmpty())
      return waits.told(
          content,
          noInput(
              content, "failed to take snapshot " + name(content) + " without a snapshot class"),
          waits.untilClassNamed(content));
    return switch (view.snapshotClass(content.className().get())) {
      case Missing<SnapshotClass>(var missing) ->
          waits.told(
              content,
              noInput(content, GoWords.notListed(missing)),
              waits.untilClassExists(content, missing));
      case Found<SnapshotClass>(var snapshotClass) -> take(content, snapshotClass);
    };
  }

  /// What is wrong with the class is found before anything is marked: nothing was asked for yet
  /// (SNAP-A9).
  private Step take(SnapshotContent content, SnapshotClass by) {
    var unknown = ClassParameters.unknown(by.parameters());
    if (unknown.isPresent())
      return waits.told(
          content,
          "failed to remove CSI Parameters of prefixed keys: "
              + ClassParameters.reserved(unknown.get()),
          waits.untilParametersAreKnown(content, by, unknown.get()));
    var volume = content.volumeHandle().orElse("");
    if (content.snapshot().uid().isEmpty())
      return waits.told(
          content,
          "failed to take snapshot of the volume %s: %s"
              .formatted(
                  volume,
                  GoWords.quoted(
                      "cannot create snapshot. Snapshot content %s not bound to a snapshot"
                          .formatted(name(content)))),
          waits.untilBound(content));
    var secret = secret(content);
    if (secret.isEmpty())
      return waits.told(
          content,
          noInput(content, SnapshotWords.secretUnnamed(name(content))),
          ContentWaits.untilSecretNamed(content));
    return new Act(
            new Take(content.meta().key(), request(content, by), secret.get(), new Seen<>(content)))
        .then(waits.untilReady(content));
  }

  private CreateSnapshotRequest request(SnapshotContent content, SnapshotClass by) {
    return CreateSnapshotRequest.newBuilder()
        .setName(options.names().of(content.snapshot().uid()))
        .setSourceVolumeId(content.volumeHandle().orElseThrow())
        .putAllParameters(ClassParameters.forDriver(by.parameters()))
        .putAllParameters(metadata(content))
        .build();
  }

  /// SNAP-19.
  private Map<String, String> metadata(SnapshotContent content) {
    var metadata = new LinkedHashMap<String, String>();
    if (!options.extraMetadata()) return metadata;
    var snapshot = content.snapshot().key();
    metadata.put(ClassParameters.PREFIX + "volumesnapshot/name", snapshot.name());
    metadata.put(ClassParameters.PREFIX + "volumesnapshot/namespace", snapshot.namespace());
    metadata.put(ClassParameters.PREFIX + "volumesnapshotcontent/name", name(content));
    return metadata;
  }

  private Step lookUp(View view, SnapshotContent content) {
    var handle = content.handle().or(content::snapshotHandle).orElseThrow();
    if (content.shown().groupHandle().isPresent())
      return secret(content)
          .map(named -> lookUp(content, handle, named.map(it -> new Secret(it, Origin.ANNOTATION))))
          .orElseGet(() ->
              waits.told(
                  content,
                  SnapshotWords.secretUnnamed(name(content)),
                  ContentWaits.untilSecretNamed(content)));
    if (content.className().isEmpty()) return lookUp(content, handle, Optional.empty());
    return switch (view.snapshotClass(content.className().get())) {
      case Missing<SnapshotClass>(var missing) ->
          waits.told(
              content,
              "failed to get snapshot class %s for snapshot content %s: %s"
                  .formatted(missing.key().name(), name(content), GoWords.notListed(missing)),
              waits.untilClassExists(content, missing));
      case Found<SnapshotClass>(var by) ->
          switch (ClassSecrets.resolve(
              Use.LIST, by.parameters(), Subject.content(name(content)))) { // SNAP-17
            case Resolved(var secret) ->
                lookUp(content, handle, secret.map(it -> new Secret(it, Origin.CLASS)));
            case Unresolvable(var why) ->
                waits.told(
                    content,
                    "failed to get secret reference for snapshot content %s: %s"
                        .formatted(name(content), why),
                    waits.untilSecretsResolve(content, by, why));
          };
    };
  }

  private Step lookUp(SnapshotContent content, String handle, Optional<Secret> secret) {
    return new Act(new LookUp(content.meta().key(), handle, secret, new Seen<>(content)))
        .then(waits.untilReady(content));
  }

  /// The Secret that the content's annotations name (SNAP-17).
  ///
  /// @return empty: they name one half of it; in it empty: they name none
  private static Optional<Optional<SecretRef>> secret(SnapshotContent content) {
    var name = content.meta().annotation(SnapshotAnnotations.DELETION_SECRET_NAME);
    var namespace = content.meta().annotation(SnapshotAnnotations.DELETION_SECRET_NAMESPACE);
    if (name.isEmpty() || namespace.isEmpty()) return Optional.of(Optional.empty());
    if (name.get().isEmpty() || namespace.get().isEmpty()) return Optional.empty();
    return Optional.of(Optional.of(new SecretRef(namespace.get(), name.get())));
  }

  private static String noInput(SnapshotContent content, String why) {
    return SnapshotWords.noInput(name(content), why);
  }

  private static String name(SnapshotContent content) {
    return content.meta().name();
  }
}
