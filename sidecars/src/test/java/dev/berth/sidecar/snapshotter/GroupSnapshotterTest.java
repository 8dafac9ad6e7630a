package dev.berth.sidecar.snapshotter;

import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.CREATE_DELETE_SNAPSHOT;
import static dev.berth.csi.v1.GroupControllerServiceCapability.RPC.Type.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT;
import static dev.berth.csi.v1.PluginCapability.Service.Type.CONTROLLER_SERVICE;
import static dev.berth.csi.v1.PluginCapability.Service.Type.GROUP_CONTROLLER_SERVICE;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.google.protobuf.Timestamp;
import dev.berth.csi.client.ControllerCalls;
import dev.berth.csi.client.CsiException;
import dev.berth.csi.client.GroupControllerCalls;
import dev.berth.csi.v1.CreateVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.CreateVolumeGroupSnapshotResponse;
import dev.berth.csi.v1.DeleteVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.DeleteVolumeGroupSnapshotResponse;
import dev.berth.csi.v1.GetVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.GetVolumeGroupSnapshotResponse;
import dev.berth.csi.v1.GroupControllerGetCapabilitiesRequest;
import dev.berth.csi.v1.GroupControllerGetCapabilitiesResponse;
import dev.berth.csi.v1.Snapshot;
import dev.berth.csi.v1.VolumeGroupSnapshot;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.fact.Sources;
import dev.berth.kube.object.Resources;
import dev.berth.kube.snapshot.GroupContent;
import dev.berth.kube.snapshot.SnapshotAnnotations;
import dev.berth.kube.snapshot.SnapshotKinds;
import dev.berth.kube.snapshot.SnapshotResources;
import dev.berth.sidecar.connection.DriverCalls;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.connection.Means;
import dev.berth.sidecar.testing.Bench;
import dev.berth.sidecar.testing.LateRemovals;
import dev.berth.sidecar.testing.Objects;
import dev.berth.sidecar.testing.Tree;
import dev.berth.sidecar.testing.WatchedApi;
import io.grpc.Status.Code;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Snapshots of several volumes at once, on a real server and a driver that does what it is told.
final class GroupSnapshotterTest {
  private static final Path SHIPPED = Path.of("../cli/src/main/resources/dev/berth/cli/shipped");
  private static final String NAME = "groupsnapcontent-u1";

  private final Bench bench = new Bench();
  private final Groups driver = new Groups();

  @BeforeEach
  void install() throws IOException {
    for (var kind : List.of("volumegroupsnapshotclasses", "volumegroupsnapshotcontents"))
      bench
          .api()
          .create(
              Resources.DEFINITIONS,
              new YAMLMapper()
                  .readValue(
                      SHIPPED.resolve(kind + ".groupsnapshot.storage.k8s.io.yaml").toFile(),
                      ObjectNode.class));
    createClass(Objects.DRIVER);
  }

  private void createClass(String driver) {
    bench
        .api()
        .create(
            SnapshotResources.GROUP_CLASSES,
            Tree.of(
                    """
                    {"metadata": {"name": "fast"},
                     "deletionPolicy": "Delete", "parameters": {"tier": "gold"}}
                    """)
                .with(driver, "driver")
                .of(SnapshotResources.GROUP_CLASSES)
                .json());
  }

  @AfterEach
  void end() {
    bench.close();
  }

  /// SNAP-70, SNAP-72, SNAP-76: what is not known of a snapshot is not told as 0.
  @Test
  void takesGroup() {
    create("\"volumeHandles\": [\"vol-1\", \"vol-2\"]");

    run();

    assertThat(driver.calls)
        .containsExactly(
            CreateVolumeGroupSnapshotRequest.newBuilder()
                .setName("groupsnapshot-u1")
                .addSourceVolumeIds("vol-1")
                .addSourceVolumeIds("vol-2")
                .putParameters("tier", "gold")
                .build());
    var content = content();
    assertThat(content.handle()).contains("g-1");
    assertThat(content.isReady()).isTrue();
    assertThat(content.shown().members())
        .containsExactly(
            new GroupContent.Member(
                "vol-1", "s-vol-1", OptionalLong.empty(), Optional.of(true), OptionalLong.of(7)),
            new GroupContent.Member(
                "vol-2", "s-vol-2", OptionalLong.empty(), Optional.of(true), OptionalLong.of(7)));
    assertThat(content.meta().hasAnnotation(SnapshotAnnotations.GROUP_BEING_CREATED)).isFalse();
  }

  /// SNAP-72, SNAP-74: as with one volume, in the group's words.
  @Test
  void tellsWhatGoesWrong() {
    create("\"volumeHandles\": [\"vol-1\", \"vol-2\"]");
    driver.refusals.add(Code.UNAVAILABLE);

    run();

    assertThat(content().meta().hasAnnotation(SnapshotAnnotations.GROUP_BEING_CREATED)).isTrue();
    assertThat(bench.events())
        .containsExactly(
            "GroupSnapshotCreationFailed: Failed to create group snapshot: failed to take group"
                + " snapshot of the volumes [vol-1 vol-2]: \"rpc error: code = Unavailable desc ="
                + " no\"");
    bench.pass(Duration.ofSeconds(2));
    assertThat(content().isReady()).isTrue();
    assertThat(content().shown().error()).isEmpty();
  }

  /// SNAP-57: as with one volume.
  @Test
  void tellsOfWhatMayBeLeftBehind() {
    create("\"volumeHandles\": [\"vol-1\", \"vol-2\"]");
    driver.refusals.add(Code.UNAVAILABLE);
    driver.refusals.add(Code.INTERNAL);
    run();

    bench.pass(Duration.ofSeconds(2));

    assertThat(bench.events())
        .contains(
            "SnapshotMayBeLeft: the driver has refused group snapshot groupsnapshot-u1 of volumes"
                + " vol-1, vol-2 after an attempt that it had not answered: if it holds snapshots"
                + " of that name, nobody else knows of them once the content is deleted");
  }

  /// SNAP-72: one that exists already is asked for by its own name.
  @Test
  void looksUpGroupThatExists() {
    create(
        """
        "groupSnapshotHandles": {"volumeGroupSnapshotHandle": "g-1",
          "volumeSnapshotHandles": ["s-vol-1"]}
        """);

    run();

    assertThat(driver.calls)
        .containsExactly(
            GetVolumeGroupSnapshotRequest.newBuilder()
                .setGroupSnapshotId("g-1")
                .addSnapshotIds("s-vol-1")
                .build());
    assertThat(content().isReady()).isTrue();
    assertThat(content().shown().members()).isEmpty();
  }

  /// SNAP-75, SNAP-08: the whole group goes by one call, and then its handle and its finalizer.
  @Test
  void deletesGroup() {
    create("\"volumeHandles\": [\"vol-1\", \"vol-2\"]");
    run();
    bench.delete(SnapshotResources.GROUP_CONTENTS, NAME);
    assertThat(driver.calls).hasSize(1);

    bench.patch(
        SnapshotResources.GROUP_CONTENTS,
        NAME,
        "{\"metadata\": {\"annotations\": {\"%s\": \"yes\"}}}"
            .formatted(SnapshotAnnotations.GROUP_BEING_DELETED));

    assertThat(driver.calls.getLast())
        .isEqualTo(
            DeleteVolumeGroupSnapshotRequest.newBuilder()
                .setGroupSnapshotId("g-1")
                .addSnapshotIds("s-vol-1")
                .addSnapshotIds("s-vol-2")
                .build());
    assertThat(bench.find(SnapshotKinds.GROUP_CONTENT, NAME)).isEmpty();
  }

  /// SNAP-72: also one that is ready waits for its class to name its driver again.
  @Test
  void deletesGroupOnceItsClassIsRightAgain() {
    create("\"volumeHandles\": [\"vol-1\", \"vol-2\"]");
    run();
    assertThat(content().isReady()).isTrue();
    bench.delete(SnapshotResources.GROUP_CLASSES, "fast");
    createClass("other.example");
    bench.patch(
        SnapshotResources.GROUP_CONTENTS,
        NAME,
        "{\"metadata\": {\"annotations\": {\"%s\": \"yes\"}}}"
            .formatted(SnapshotAnnotations.GROUP_BEING_DELETED));
    bench.delete(SnapshotResources.GROUP_CONTENTS, NAME);
    assertThat(bench.find(SnapshotKinds.GROUP_CONTENT, NAME)).isPresent();

    bench.delete(SnapshotResources.GROUP_CLASSES, "fast");
    assertThat(bench.find(SnapshotKinds.GROUP_CONTENT, NAME)).isEmpty();
  }

  /// SNAP-57: one that was written down by hand goes at the driver, though nobody has looked at it.
  @Test
  void deletesGroupThatNobodyHasLookedAt() {
    create(
        """
        "groupSnapshotHandles": {"volumeGroupSnapshotHandle": "g-1",
          "volumeSnapshotHandles": ["s-vol-1"]}
        """);
    bench.patch(
        SnapshotResources.GROUP_CONTENTS,
        NAME,
        "{\"metadata\": {\"annotations\": {\"%s\": \"yes\"}}}"
            .formatted(SnapshotAnnotations.GROUP_BEING_DELETED));
    bench.delete(SnapshotResources.GROUP_CONTENTS, NAME);

    run();

    assertThat(driver.calls)
        .containsExactly(
            DeleteVolumeGroupSnapshotRequest.newBuilder()
                .setGroupSnapshotId("g-1")
                .addSnapshotIds("s-vol-1")
                .build());
    assertThat(bench.find(SnapshotKinds.GROUP_CONTENT, NAME)).isEmpty();
  }

  /// SNAP-57: nor is it left behind if whoever looked has learnt nothing but an error.
  @Test
  void deletesGroupThatCouldNotBeLookedAt() {
    create(
        """
        "groupSnapshotHandles": {"volumeGroupSnapshotHandle": "g-1",
          "volumeSnapshotHandles": ["s-vol-1"]}
        """);
    driver.refusals.add(Code.UNAVAILABLE);
    run();
    assertThat(content().handle()).isEmpty();
    bench.patch(
        SnapshotResources.GROUP_CONTENTS,
        NAME,
        "{\"metadata\": {\"annotations\": {\"%s\": \"yes\"}}}"
            .formatted(SnapshotAnnotations.GROUP_BEING_DELETED));
    bench.delete(SnapshotResources.GROUP_CONTENTS, NAME);

    assertThat(driver.calls)
        .last()
        .isEqualTo(
            DeleteVolumeGroupSnapshotRequest.newBuilder()
                .setGroupSnapshotId("g-1")
                .addSnapshotIds("s-vol-1")
                .build());
    assertThat(bench.find(SnapshotKinds.GROUP_CONTENT, NAME)).isEmpty();
  }

  /// SNAP-69, SNAP-73: a time that no status can hold is none, and holds no group.
  @Test
  void aWildCreationTimeIsNow() {
    driver.moment = Optional.of(Timestamp.newBuilder().setSeconds(1_764_220_000_000L).build());
    create("\"volumeHandles\": [\"vol-1\"]");

    run();

    assertThat(content().shown().creationTime())
        .contains(bench.time().now().truncatedTo(ChronoUnit.SECONDS));
    assertThat(content().shown().members().getFirst().creationTime()).isEmpty();
    assertThat(GroupDecision.marked(content())).isFalse();
  }

  /// SNAP-74: half a Secret is told, when it is taken and when it is deleted.
  @Test
  void halfASecretIsTold() {
    create("\"volumeHandles\": [\"vol-1\"]");
    bench.patch(
        SnapshotResources.GROUP_CONTENTS,
        NAME,
        """
        {"metadata": {"annotations": {
          "groupsnapshot.storage.kubernetes.io/deletion-secret-name": "",
          "groupsnapshot.storage.kubernetes.io/deletion-secret-namespace": "shop"}}}
        """);
    run();
    assertThat(bench.events().getFirst())
        .startsWith("GroupSnapshotCreationFailed: ")
        .contains("secret name or namespace not specified");
    assertThat(content().shown().error()).isPresent();

    bench.patch(
        SnapshotResources.GROUP_CONTENTS,
        NAME,
        "{\"metadata\": {\"annotations\": {\"%s\": \"yes\"}}}"
            .formatted(SnapshotAnnotations.GROUP_BEING_DELETED));
    bench.delete(SnapshotResources.GROUP_CONTENTS, NAME);
    assertThat(bench.find(SnapshotKinds.GROUP_CONTENT, NAME)).isEmpty(); // nothing was taken
    assertThat(driver.calls).isEmpty();
  }

  /// SNAP-57: what the driver has made is not forgotten because its status could not be written and
  /// the driver refuses it after that.
  @Test
  void whatWasMadeOutlivesARefusal() {
    create("\"volumeHandles\": [\"vol-1\"]");
    var full = new boolean[] {true};
    run(
        new WatchedApi(
            bench.api(),
            new WatchedApi.Guard() {
              @Override
              public void before(String request) {
                if (full[0] && request.startsWith("patchStatus volumegroupsnapshotcontents"))
                  throw new ApiException(500, "InternalError", "disk full");
              }

              @Override
              public void after(String request) {}
            }));
    driver.refusals.add(Code.INTERNAL);
    bench.pass(Duration.ofMinutes(1));
    assertThat(driver.calls).hasSize(1);
    assertThat(GroupDecision.marked(content())).isTrue();

    full[0] = false;
    bench.pass(Duration.ofMinutes(5));
    assertThat(content().handle()).contains("g-1");
    assertThat(GroupDecision.marked(content())).isFalse();
  }

  /// SNAP-62: a removal of the mark that is late leaves the one of a later attempt.
  @Test
  void lateRemovalLeavesALaterMark() {
    create("\"volumeHandles\": [\"vol-1\"]");
    var slow = new LateRemovals(bench.api());
    driver.refusals.add(Code.INTERNAL);
    run(slow);
    bench.kill();
    driver.refusals.add(Code.DEADLINE_EXCEEDED);
    run();
    assertThat(driver.calls).hasSize(2);

    slow.arrive();

    assertThat(GroupDecision.marked(content())).isTrue();
  }

  private void run() {
    run(bench.api());
  }

  private void run(Api door) {
    var facts =
        new DriverFacts(
            Objects.DRIVER,
            "",
            Set.of(CONTROLLER_SERVICE, GROUP_CONTROLLER_SERVICE),
            Set.of(),
            Set.of(CREATE_DELETE_SNAPSHOT),
            Set.of(CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT),
            Set.of(),
            Optional.empty());
    var part = Snapshotter.part(facts, SnapshotterOptions.DEFAULT);
    bench.run(
        (api, events) ->
            part.works()
                .getLast()
                .concern()
                .controller(new Means(api, events, bench.time(), driver, "tests")),
        door,
        Sources.of(part.sources()));
  }

  private GroupContent content() {
    return bench.get(SnapshotKinds.GROUP_CONTENT, NAME);
  }

  private void create(String source) {
    bench
        .api()
        .create(
            SnapshotResources.GROUP_CONTENTS,
            Tree.of(
                    """
                    {"metadata": {"name": "groupsnapcontent-u1", "finalizers": [
                       "groupsnapshot.storage.kubernetes.io/volumegroupsnapshotcontent-bound-protection"]},
                     "spec": {"deletionPolicy": "Delete", "driver": "disk.example",
                       "volumeGroupSnapshotClassName": "fast", "source": {%s},
                       "volumeGroupSnapshotRef":
                         {"namespace": "shop", "name": "all", "uid": "u1"}}}
                    """
                        .formatted(source))
                .of(SnapshotResources.GROUP_CONTENTS)
                .json());
  }

  private static final class Groups implements DriverCalls, GroupControllerCalls {
    private final List<Object> calls = new ArrayList<>();
    private final Queue<Code> refusals = new ArrayDeque<>();
    private Optional<Timestamp> moment = Optional.empty();

    @Override
    public ControllerCalls controller(Duration timeout) {
      throw new AssertionError("groups are the group controller's");
    }

    @Override
    public GroupControllerCalls groups(Duration timeout) {
      return this;
    }

    private void called(Object request) {
      calls.add(request);
      var code = refusals.poll();
      if (code != null) throw new CsiException(code, "no");
    }

    private static VolumeGroupSnapshot.Builder group() {
      return VolumeGroupSnapshot.newBuilder().setGroupSnapshotId("g-1").setReadyToUse(true);
    }

    @Override
    public GroupControllerGetCapabilitiesResponse groupControllerGetCapabilities(
        GroupControllerGetCapabilitiesRequest request) {
      throw new AssertionError("asked once for each connection");
    }

    @Override
    public CreateVolumeGroupSnapshotResponse createVolumeGroupSnapshot(
        CreateVolumeGroupSnapshotRequest request) {
      called(request);
      var group = group();
      moment.ifPresent(group::setCreationTime);
      for (var volume : request.getSourceVolumeIdsList())
        group.addSnapshots(
            Snapshot.newBuilder()
                .setSnapshotId("s-" + volume)
                .setSourceVolumeId(volume)
                .setSizeBytes(7)
                .setReadyToUse(true)
                .mergeFrom(
                    moment
                        .map(it -> Snapshot.newBuilder().setCreationTime(it).build())
                        .orElse(Snapshot.getDefaultInstance())));
      return CreateVolumeGroupSnapshotResponse.newBuilder().setGroupSnapshot(group).build();
    }

    @Override
    public DeleteVolumeGroupSnapshotResponse deleteVolumeGroupSnapshot(
        DeleteVolumeGroupSnapshotRequest request) {
      called(request);
      return DeleteVolumeGroupSnapshotResponse.getDefaultInstance();
    }

    @Override
    public GetVolumeGroupSnapshotResponse getVolumeGroupSnapshot(
        GetVolumeGroupSnapshotRequest request) {
      called(request);
      return GetVolumeGroupSnapshotResponse.newBuilder().setGroupSnapshot(group()).build();
    }
  }
}
