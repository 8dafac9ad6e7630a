package dev.berth.sidecar.snapshotter;

import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.CREATE_DELETE_SNAPSHOT;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.LIST_SNAPSHOTS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.berth.csi.v1.CreateSnapshotRequest;
import dev.berth.csi.v1.DeleteSnapshotRequest;
import dev.berth.csi.v1.ListSnapshotsRequest;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.fact.Sources;
import dev.berth.kube.object.Resources;
import dev.berth.kube.snapshot.SnapshotAnnotations;
import dev.berth.kube.snapshot.SnapshotContent;
import dev.berth.kube.snapshot.SnapshotKinds;
import dev.berth.kube.snapshot.SnapshotResources;
import dev.berth.sidecar.connection.Means;
import dev.berth.sidecar.connection.Turns;
import dev.berth.sidecar.testing.Bench;
import dev.berth.sidecar.testing.LateRemovals;
import dev.berth.sidecar.testing.Objects;
import dev.berth.sidecar.testing.Tree;
import dev.berth.sidecar.testing.WatchedApi;
import io.grpc.Status.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The snapshotter on a real server with the definitions that we ship, and on a driver that does
/// what it is told.
final class SnapshotterTest {
  private static final Path SHIPPED = Path.of("../cli/src/main/resources/dev/berth/cli/shipped");
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
  private static final String NAME = "snapcontent-u1";

  private final Bench bench = new Bench();
  private final SnapshotDriver driver = new SnapshotDriver();

  @BeforeEach
  void install() throws IOException {
    for (var kind : List.of("volumesnapshotclasses", "volumesnapshotcontents"))
      bench
          .api()
          .create(
              Resources.DEFINITIONS,
              YAML.readTree(
                      Files.readString(SHIPPED.resolve(kind + ".snapshot.storage.k8s.io.yaml")))
                  .deepCopy());
    create(
        """
        {"metadata": {"name": "fast"}, "driver": "disk.example", "deletionPolicy": "Delete",
         "parameters": {"tier": "gold", "csi.storage.k8s.io/snapshotter-secret-name": "s",
           "csi.storage.k8s.io/snapshotter-secret-namespace": "shop"}}
        """);
  }

  @AfterEach
  void end() {
    bench.close();
  }

  /// SNAP-61, SNAP-15, SNAP-65, SNAP-69: what the driver hears, what the status says, and no mark
  /// left.
  @Test
  void takesSnapshot() {
    create(dynamic());

    run(SnapshotterOptions.DEFAULT);

    assertThat(driver.calls())
        .containsExactly(
            CreateSnapshotRequest.newBuilder()
                .setName("snapshot-u1")
                .setSourceVolumeId("vol-1")
                .putParameters("tier", "gold")
                .build());
    var content = content();
    assertThat(content.shown())
        .isEqualTo(
            new SnapshotContent.Status(
                Optional.of("id-of-snapshot-u1"),
                java.util.OptionalLong.of(1_000_000_005L),
                java.util.OptionalLong.of(1 << 30),
                Optional.of(true),
                Optional.empty(),
                Optional.empty()));
    assertThat(marked(content)).isFalse();
    assertThat(bench.events()).isEmpty();
  }

  /// SNAP-60: neither another driver's content nor one by another driver's class is touched.
  @Test
  void leavesOthersAlone() {
    create(dynamic().replace("\"disk.example\"", "\"other.example\""));
    create(
        """
        {"metadata": {"name": "foreign"}, "driver": "other.example", "deletionPolicy": "Delete"}
        """);
    create(dynamic().replace("\"fast\"", "\"foreign\"").replace(NAME, "two"));

    run(SnapshotterOptions.DEFAULT);

    assertThat(driver.calls()).isEmpty();
  }

  /// SNAP-19, and names cut to a length (SNAP-61).
  @Test
  void tellsWhoseItIsIfAsked() {
    create(dynamic());
    var names = new SnapshotterOptions.Names("snap", 1);
    var usual = SnapshotterOptions.DEFAULT;

    run(
        new SnapshotterOptions(
            names, names, true, Optional.empty(), true, usual.timeout(), usual.pace()));

    var request = (CreateSnapshotRequest) driver.calls().getFirst();
    assertThat(request.getName()).isEqualTo("snap-u");
    assertThat(request.getParametersMap())
        .containsEntry("csi.storage.k8s.io/volumesnapshot/name", "monday")
        .containsEntry("csi.storage.k8s.io/volumesnapshot/namespace", "shop")
        .containsEntry("csi.storage.k8s.io/volumesnapshotcontent/name", NAME);
  }

  /// SNAP-62, SNAP-63: the mark stays while nobody knows what came of the call, and every message
  /// is told once; the first failure has a reason of its own.
  @Test
  void unknownOutcomeKeepsTheMark() {
    create(dynamic());
    driver.refuses(Code.DEADLINE_EXCEEDED);
    driver.refuses(Code.DEADLINE_EXCEEDED);
    driver.refuses(Code.DEADLINE_EXCEEDED);

    run(SnapshotterOptions.DEFAULT);

    assertThat(content().meta().annotation(SnapshotAnnotations.BEING_CREATED)).contains("yes");
    var why = "failed to take snapshot of the volume vol-1: \"rpc error: code = DeadlineExceeded";
    assertThat(content().shown().error().orElseThrow().message().orElseThrow())
        .startsWith("Failed to create snapshot: " + why);
    assertThat(content().isReady()).isFalse();
    bench.pass(Duration.ofSeconds(5));
    assertThat(bench.events()).hasSize(2);
    assertThat(bench.events().getFirst()).startsWith("SnapshotCreationFailed: Failed to create");
    assertThat(bench.events().getLast())
        .startsWith(
            "SnapshotContentCheckandUpdateFailed: Failed to check and update snapshot content: "
                + why);
    bench.pass(Duration.ofSeconds(10));
    assertThat(content().isReady()).isTrue();
    assertThat(content().shown().error()).isEmpty();
    assertThat(marked(content())).isFalse();
    assertThat(driver.ids()).containsExactly("id-of-snapshot-u1");
  }

  /// SNAP-62: whatever the driver answers for good settles it, after a call whose outcome nobody
  /// knows too, as upstream has it.
  @Test
  void finalRefusalTakesTheMarkOff() {
    create(dynamic());
    driver.refuses(Code.INTERNAL);
    run(SnapshotterOptions.DEFAULT);
    assertThat(marked(content())).isFalse();

    driver.refuses(Code.UNAVAILABLE);
    driver.refuses(Code.INTERNAL);
    bench.pass(Duration.ofSeconds(1));
    assertThat(marked(content())).isTrue();
    bench.pass(Duration.ofSeconds(2));
    assertThat(driver.calls()).hasSize(3);
    assertThat(marked(content())).isFalse();
  }

  /// SNAP-57: a refusal after a call whose outcome nobody knows may leave a snapshot that has no
  /// object; a refusal alone leaves none.
  @Test
  void tellsOfWhatMayBeLeftBehind() {
    create(dynamic());
    driver.refuses(Code.INTERNAL);
    run(SnapshotterOptions.DEFAULT);
    assertThat(bench.events()).noneMatch(it -> it.startsWith("SnapshotMayBeLeft: "));

    driver.refuses(Code.UNAVAILABLE);
    driver.refuses(Code.INTERNAL);
    bench.pass(Duration.ofSeconds(3));

    assertThat(bench.events())
        .contains(
            "SnapshotMayBeLeft: the driver has refused snapshot snapshot-u1 of volume vol-1 after"
                + " an attempt that it had not answered: if it holds a snapshot of that name,"
                + " nobody else knows of it once the content is deleted");
  }

  /// SNAP-62: a request of a killed process that takes its mark off, and is late, does not take off
  /// that of the next one, which does not know what came of its own call.
  @Test
  void lateRemovalLeavesTheMarkOfWhoeverCameAfter() {
    create(dynamic());
    var slow = new LateRemovals(bench.api());
    driver.refuses(Code.INTERNAL);
    run(SnapshotterOptions.DEFAULT, slow, CREATE_DELETE_SNAPSHOT);
    bench.kill();
    driver.refuses(Code.DEADLINE_EXCEEDED);
    run(SnapshotterOptions.DEFAULT);
    assertThat(driver.calls()).hasSize(2);

    slow.arrive();
    assertThat(marked(content())).isTrue();

    bench.pass(Duration.ofSeconds(10));
    assertThat(content().isReady()).isTrue();
    assertThat(marked(content())).isFalse();
  }

  /// SNAP-62: nor that of a later attempt of the process that sent it.
  @Test
  void lateRemovalLeavesTheMarkOfALaterAttempt() {
    create(dynamic());
    var slow = new LateRemovals(bench.api());
    driver.refuses(Code.INTERNAL);
    run(SnapshotterOptions.DEFAULT, slow, CREATE_DELETE_SNAPSHOT);
    driver.refuses(Code.DEADLINE_EXCEEDED);
    driver.refuses(Code.DEADLINE_EXCEEDED);
    bench.pass(Duration.ofSeconds(1));
    assertThat(driver.calls()).hasSize(2);

    slow.arrive();
    assertThat(marked(content())).isTrue();
  }

  /// SNAP-57: what the driver has made is not forgotten because its status could not be written and
  /// the driver refuses it after that.
  @Test
  void whatWasMadeOutlivesARefusal() {
    create(dynamic());
    var full = new boolean[] {true};
    run(
        SnapshotterOptions.DEFAULT,
        new WatchedApi(
            bench.api(),
            new WatchedApi.Guard() {
              @Override
              public void before(String request) {
                if (full[0] && request.startsWith("patchStatus volumesnapshotcontents"))
                  throw new ApiException(500, "InternalError", "disk full");
              }

              @Override
              public void after(String request) {}
            }),
        CREATE_DELETE_SNAPSHOT);
    driver.refuses(Code.INTERNAL);
    bench.pass(Duration.ofMinutes(1));
    assertThat(driver.calls()).hasSize(1);
    assertThat(marked(content())).isTrue();

    full[0] = false;
    bench.pass(Duration.ofMinutes(5));
    assertThat(content().handle()).contains("id-of-snapshot-u1");
    assertThat(marked(content())).isFalse();
  }

  /// ONE-17, SNAP-A8: while somebody else has the driver do something to the volume, it waits.
  @Test
  void waitsForItsTurnAtTheVolume() throws Exception {
    create(dynamic());
    var part = Snapshotter.part(Objects.driver(CREATE_DELETE_SNAPSHOT), SnapshotterOptions.DEFAULT);
    var turns = new Turns();
    var held = new CountDownLatch(1);
    var over = new CountDownLatch(1);
    var early = new AtomicBoolean();
    driver.onCall(() -> early.compareAndSet(false, over.getCount() > 0));
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var _ =
          threads.submit(() ->
              turns.take(
                  "vol-1",
                  () -> {
                    held.countDown();
                    return awaited(over);
                  }));
      assertThat(awaited(held)).isTrue();
      var looks =
          threads.submit(() ->
              bench.run(
                  (api, events) -> {
                    var means = bench.means(driver, api, events);
                    return part.works()
                        .getFirst()
                        .concern()
                        .controller(
                            new Means(
                                api, events, means.time(), means.calls(), means.identity(), turns));
                  },
                  bench.api(),
                  Sources.of(part.sources())));
      Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> marked(content()));
      over.countDown();
      looks.get();
    }
    assertThat(early).isFalse();
    assertThat(driver.ids()).containsExactly("id-of-snapshot-u1");
  }

  private static boolean awaited(CountDownLatch latch) {
    try {
      return latch.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /// SNAP-64, SNAP-68: one that is not ready is asked for again by the same call, soon.
  @Test
  void asksAgainUntilReady() {
    create(dynamic());
    driver.isUnready(3);

    run(SnapshotterOptions.DEFAULT);

    assertThat(content().isReady()).isFalse();
    assertThat(content().handle()).contains("id-of-snapshot-u1");
    bench.pass(Duration.ofSeconds(4));
    assertThat(content().isReady()).isTrue();
    assertThat(driver.calls()).hasSize(4).allMatch(driver.calls().getFirst()::equals);
    assertThat(bench.events()).isEmpty();
  }

  /// SNAP-81: of several nodes the one whose driver has a snapshot takes what names no node, and
  /// nobody else writes a word about it.
  @Test
  void takesWhatItsNodeHas() {
    create(existing());
    runOnNode1();
    assertThat(driver.calls()).hasSize(1);
    assertThat(content().status()).isEmpty();
    assertThat(bench.events()).isEmpty();

    driver.has("snap-7");
    bench.pass(Duration.ofMinutes(1));
    assertThat(content().meta().labels()).containsEntry(SnapshotAnnotations.MANAGED_BY, "node-1");
    assertThat(content().isReady()).isTrue();
  }

  /// SNAP-81: two nodes may have it, and anybody may label it: the first one's word stands.
  @Test
  void adoptsNothingThatIsLabelledMeanwhile() {
    create(existing());
    driver.has("snap-7");
    driver.onCall(() ->
        bench.patch(
            SnapshotResources.CONTENTS,
            NAME,
            "{\"metadata\": {\"labels\": {\"%s\": \"node-2\", \"team\": \"shop\"}}}"
                .formatted(SnapshotAnnotations.MANAGED_BY)));
    runOnNode1();
    bench.pass(Duration.ofMinutes(1));

    assertThat(content().meta().labels())
        .containsEntry(SnapshotAnnotations.MANAGED_BY, "node-2")
        .containsEntry("team", "shop");
    assertThat(driver.calls()).hasSize(1);
  }

  private void runOnNode1() {
    var usual = SnapshotterOptions.DEFAULT;
    run(
        new SnapshotterOptions(
            usual.names(),
            usual.groupNames(),
            false,
            Optional.of("node-1"),
            true,
            usual.timeout(),
            usual.pace()));
  }

  /// SNAP-81: what is another node's is not asked about.
  @Test
  void leavesWhatAnotherNodeHas() {
    create(
        existing()
            .replace(
                "\"metadata\": {",
                "\"metadata\": {\"labels\": {\"%s\": \"node-2\"}, "
                    .formatted(SnapshotAnnotations.MANAGED_BY)));
    runOnNode1();
    assertThat(driver.calls()).isEmpty();
  }

  /// SNAP-64, SNAP-66: one that exists already is listed, bound or not, and found missing in
  /// upstream's words.
  @Test
  void looksUpWhatExistsAlready() {
    create(existing());
    run(SnapshotterOptions.DEFAULT);

    assertThat(driver.calls())
        .containsExactly(ListSnapshotsRequest.newBuilder().setSnapshotId("snap-7").build());
    assertThat(content().shown().error().orElseThrow().message())
        .contains(
            "Failed to check and update snapshot content: failed to list snapshot for content"
                + " snapcontent-u1: \"can not find snapshot for snapshotID snap-7\"");

    driver.has("snap-7");
    bench.pass(Duration.ofSeconds(3));
    assertThat(content().isReady()).isTrue();
    assertThat(content().shown().restoreSize()).hasValue(7);
    assertThat(content().shown().error()).isEmpty();
  }

  /// SNAP-64: a driver that tells nothing is believed to have it.
  @Test
  void believesWhatCannotBeAsked() {
    create(existing());

    run(SnapshotterOptions.DEFAULT, CREATE_DELETE_SNAPSHOT);

    assertThat(driver.calls()).isEmpty();
    assertThat(content().isReady()).isTrue();
    assertThat(content().shown().restoreSize()).isEmpty();
  }

  /// SNAP-55, SNAP-56: deleted only when its snapshot goes too, by the driver first.
  @Test
  void deletesWhenItsSnapshotGoes() {
    create(dynamic());
    run(SnapshotterOptions.DEFAULT);

    bench.delete(SnapshotResources.CONTENTS, NAME);
    assertThat(driver.ids()).isNotEmpty();
    assertThat(bench.events())
        .containsExactly(
            "SnapshotDeletePending: the content is kept until VolumeSnapshot shop/monday is"
                + " deleted");

    driver.refuses(Code.INTERNAL);
    markBeingDeleted();
    assertThat(bench.events().getLast())
        .startsWith("SnapshotDeleteError: Failed to delete snapshot");
    bench.pass(Duration.ofSeconds(2));
    assertThat(driver.calls())
        .last()
        .isEqualTo(DeleteSnapshotRequest.newBuilder().setSnapshotId("id-of-snapshot-u1").build());
    assertThat(driver.ids()).isEmpty();
    assertThat(bench.find(SnapshotKinds.CONTENT, NAME)).isEmpty();
  }

  /// SNAP-60: also one that is ready waits for its class to name its driver again.
  @Test
  void deletesOnceItsClassIsRightAgain() {
    create(dynamic());
    run(SnapshotterOptions.DEFAULT);
    bench.delete(SnapshotResources.CLASSES, "fast");
    create(
        """
        {"metadata": {"name": "fast"}, "driver": "other.example", "deletionPolicy": "Delete"}
        """);
    markBeingDeleted();
    bench.delete(SnapshotResources.CONTENTS, NAME);
    assertThat(bench.find(SnapshotKinds.CONTENT, NAME)).isPresent();

    bench.delete(SnapshotResources.CLASSES, "fast");
    assertThat(bench.find(SnapshotKinds.CONTENT, NAME)).isEmpty();
    assertThat(driver.ids()).isEmpty();
  }

  /// SNAP-67, SNAP-55: a deletion that came while it was being taken is carried out as soon as it
  /// is known what came of it.
  @Test
  void deletesWhatWasBeingTakenMeanwhile() {
    create(dynamic());
    driver.refuses(Code.DEADLINE_EXCEEDED);
    driver.refuses(Code.DEADLINE_EXCEEDED);
    run(SnapshotterOptions.DEFAULT);
    bench.delete(SnapshotResources.CONTENTS, NAME);
    markBeingDeleted();
    assertThat(marked(content())).isTrue();

    bench.pass(Duration.ofSeconds(10));
    assertThat(bench.find(SnapshotKinds.CONTENT, NAME)).isEmpty();
    assertThat(driver.ids()).isEmpty();
    assertThat(driver.calls())
        .last()
        .isEqualTo(DeleteSnapshotRequest.newBuilder().setSnapshotId("id-of-snapshot-u1").build());
  }

  /// SNAP-57: what was written down by hand goes at the driver, though nobody has looked at it.
  @Test
  void deletesWhatNobodyHasLookedAt() {
    create(existing());
    markBeingDeleted();
    bench.delete(SnapshotResources.CONTENTS, NAME);

    run(SnapshotterOptions.DEFAULT);

    assertThat(driver.calls())
        .containsExactly(DeleteSnapshotRequest.newBuilder().setSnapshotId("snap-7").build());
    assertThat(bench.find(SnapshotKinds.CONTENT, NAME)).isEmpty();
  }

  /// SNAP-56, SNAP-57: nor is it left behind if whoever looked has learnt nothing but an error.
  @Test
  void deletesWhatCouldNotBeLookedAt() {
    create(existing());
    driver.refuses(Code.UNAVAILABLE);
    run(SnapshotterOptions.DEFAULT);
    assertThat(content().shown().error()).isPresent();
    assertThat(content().handle()).isEmpty();

    markBeingDeleted();
    bench.delete(SnapshotResources.CONTENTS, NAME);

    assertThat(driver.calls())
        .last()
        .isEqualTo(DeleteSnapshotRequest.newBuilder().setSnapshotId("snap-7").build());
    assertThat(bench.find(SnapshotKinds.CONTENT, NAME)).isEmpty();
  }

  /// SNAP-18: a content that stays because half a Secret is named says so.
  @Test
  void halfASecretAtTheDeletionIsTold() {
    create(existing());
    bench.patch(
        SnapshotResources.CONTENTS,
        NAME,
        """
        {"metadata": {"annotations": {
          "snapshot.storage.kubernetes.io/deletion-secret-name": "",
          "snapshot.storage.kubernetes.io/deletion-secret-namespace": "shop"}}}
        """);
    markBeingDeleted();
    bench.delete(SnapshotResources.CONTENTS, NAME);

    run(SnapshotterOptions.DEFAULT);

    assertThat(driver.calls()).isEmpty();
    assertThat(bench.events())
        .containsExactly(
            "SnapshotDeleteError: Failed to get snapshot credentials: cannot retrieve secrets for"
                + " snapshot content \"snapcontent-u1\", err: secret name or namespace not"
                + " specified");
  }

  /// SNAP-63: what is told first and what is told from then on are two messages, and no circle.
  @Test
  void bothMessagesAreToldAtOnce() {
    create(dynamic().replace("\"volumeSnapshotClassName\": \"fast\",", ""));

    run(SnapshotterOptions.DEFAULT);

    assertThat(bench.events()).hasSize(2);
    assertThat(bench.events().getFirst()).startsWith("SnapshotCreationFailed: ");
    assertThat(bench.events().getLast()).startsWith("SnapshotContentCheckandUpdateFailed: ");
  }

  /// SNAP-69: a time that no status can hold is none.
  @Test
  void aWildCreationTimeIsNow() {
    driver.saysTaken(1_764_220_000_000L); // somebody took milliseconds for seconds
    create(dynamic());

    run(SnapshotterOptions.DEFAULT);

    assertThat(content().shown().creationTime())
        .hasValue(bench.time().now().getEpochSecond() * 1_000_000_000);
    assertThat(content().isReady()).isTrue();
  }

  /// SNAP-56: what a policy keeps is kept.
  @Test
  void keepsWhatThePolicyKeeps() {
    create(dynamic().replace("\"deletionPolicy\": \"Delete\"", "\"deletionPolicy\": \"Retain\""));
    run(SnapshotterOptions.DEFAULT);

    bench.delete(SnapshotResources.CONTENTS, NAME);
    markBeingDeleted();

    assertThat(bench.find(SnapshotKinds.CONTENT, NAME)).isEmpty();
    assertThat(driver.ids()).containsExactly("id-of-snapshot-u1");
  }

  /// SNAP-18: what was made with a Secret is deleted with it, and waits for it.
  @Test
  void secretIsReadForEachCall() {
    create(
        dynamic()
            .replace(
                "\"annotations\": {",
                """
                "annotations": {"snapshot.storage.kubernetes.io/deletion-secret-name": "s",
                  "snapshot.storage.kubernetes.io/deletion-secret-namespace": "shop"
                """));
    run(SnapshotterOptions.DEFAULT);
    assertThat(driver.calls()).isEmpty();
    assertThat(marked(content())).isFalse();
    assertThat(content().shown().error().orElseThrow().message())
        .contains(
            "Failed to create snapshot: failed to get input parameters to create snapshot for"
                + " content snapcontent-u1: \"cannot get credentials for snapshot content"
                + " \\\"snapcontent-u1\\\"\"");

    bench
        .api()
        .create(
            Resources.SECRETS,
            Tree.of(
                    "{\"metadata\": {\"namespace\": \"shop\", \"name\": \"s\"}, \"data\": {\"k\":"
                        + " \"dg==\"}}")
                .json());
    bench.pass(Duration.ofSeconds(3));
    assertThat(((CreateSnapshotRequest) driver.calls().getFirst()).getSecretsMap())
        .containsEntry("k", "v");
  }

  private void run(SnapshotterOptions options) {
    run(options, CREATE_DELETE_SNAPSHOT, LIST_SNAPSHOTS);
  }

  private void run(
      SnapshotterOptions options,
      dev.berth.csi.v1.ControllerServiceCapability.RPC.Type... capabilities) {
    run(options, bench.api(), capabilities);
  }

  private void run(
      SnapshotterOptions options,
      Api door,
      dev.berth.csi.v1.ControllerServiceCapability.RPC.Type... capabilities) {
    var part = Snapshotter.part(Objects.driver(capabilities), options);
    bench.run(
        (api, events) ->
            part.works().getFirst().concern().controller(bench.means(driver, api, events)),
        door,
        Sources.of(part.sources()));
  }

  private void markBeingDeleted() {
    bench.patch(
        SnapshotResources.CONTENTS,
        NAME,
        "{\"metadata\": {\"annotations\": {\"%s\": \"yes\"}}}"
            .formatted(SnapshotAnnotations.BEING_DELETED));
  }

  private static boolean marked(SnapshotContent content) {
    return ContentDecision.marked(content);
  }

  private SnapshotContent content() {
    return bench.get(SnapshotKinds.CONTENT, NAME);
  }

  private void create(String json) {
    var tree = Tree.of(json);
    var resource = tree.json().has("spec") ? SnapshotResources.CONTENTS : SnapshotResources.CLASSES;
    bench.api().create(resource, tree.of(resource).json());
  }

  private static String dynamic() {
    return content("\"volumeHandle\": \"vol-1\"");
  }

  private static String existing() {
    return content("\"snapshotHandle\": \"snap-7\"");
  }

  private static String content(String source) {
    return """
    {"metadata": {"name": "snapcontent-u1", "annotations": {},
       "finalizers": ["snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection"]},
     "spec": {"deletionPolicy": "Delete", "driver": "disk.example",
       "volumeSnapshotClassName": "fast", "source": {%s},
       "volumeSnapshotRef": {"namespace": "shop", "name": "monday", "uid": "u1"}}}
    """
        .formatted(source);
  }
}
