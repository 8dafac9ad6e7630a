package dev.berth.driver.baremetal.silence;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.berth.apiserver.EmbeddedApiServer;
import dev.berth.apiserver.local.LocalApi;
import dev.berth.apiserver.store.MemoryStore;
import dev.berth.driver.baremetal.object.AvailableCapacity;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.BareMetalNode;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.DriveCondition;
import dev.berth.driver.baremetal.object.DriveIdentity;
import dev.berth.driver.baremetal.object.DriveType;
import dev.berth.driver.baremetal.object.Health;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.driver.baremetal.object.OperationalStatus;
import dev.berth.driver.baremetal.object.Presence;
import dev.berth.driver.baremetal.object.Wipe;
import dev.berth.driver.baremetal.registry.Registry;
import dev.berth.driver.model.Placement;
import dev.berth.driver.model.SizeRange;
import dev.berth.driver.model.VolumeRecipe;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.api.Selector;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.cache.Snapshots;
import dev.berth.kube.event.Notice;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Told;
import dev.berth.kube.loop.Act;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A node that falls silent, and who notices, on a real server and on time that the test moves:
/// what a loop does is done here look by look.
class SilentNodeTest {
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
  private static final String NODE = "n-1";
  private static final DriveIdentity DISK = new DriveIdentity("V", "P", "S1");
  private static final ObjectKey DRIVE = ObjectKey.cluster(DISK.uuidOn(NODE));
  private static final ObjectKey VOLUME = LocalVolume.key("v");
  private static final String STATUS =
      """
      {Health: GOOD, Status: ONLINE, Usage: IN_USE, Path: /dev/x, IsClean: true, IsSystem: false, LEDState: 2,
       conditions: [{type: Available, status: "True", reason: Free, message: "a volume can have it", lastTransitionTime: "2026-01-01T00:00:00Z"},
                    {type: Replacement, status: "False", reason: InService, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"},
                    {type: Healthy, status: "True", reason: Good, message: well, lastTransitionTime: "2026-01-01T00:00:00Z"}]}
      """;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Notice> told = new ArrayList<>();
  private EmbeddedApiServer server;
  private Api api;
  private Instant now = Instant.parse("2026-01-01T12:00:00Z");
  private boolean away;
  private boolean deaf;
  private Snapshot seen;
  private Controller controller;

  /// One process of the driver's controller.
  private final class Controller {
    private final Told<Heard> heard = new Told<>(Heard.TOPIC);
    private final SilenceWork work = new SilenceWork(new Registry(api), told::add, heard);
    private int questions;

    /// Looks until there is nothing to do for now. What cannot be done is tried again later.
    void look() {
      var keeper = new SilenceKeeper();
      while (true) {
        if (!away && !deaf) seen = cached();
        var view = new SilenceKeeper.View(Facts.of(seen), heard.now(), now);
        if (!(keeper.decide(view, NODE) instanceof Act(var effect, _))) return;
        if (effect instanceof SilenceEffect.Ask) questions++;
        boolean needsServer =
            !(effect instanceof SilenceEffect.Hear || effect instanceof SilenceEffect.Forget);
        if (away && needsServer) return;
        try {
          work.carryOut((SilenceEffect) effect);
        } catch (ApiException.LostRace _) {
          return;
        }
      }
    }
  }

  @BeforeEach
  void start() throws Exception {
    server = EmbeddedApiServer.start(new MemoryStore());
    api = new LocalApi(server, threads);
    BareMetalKinds.install(api);
    api.create(BareMetalKinds.NODES, BareMetalNode.draft(NODE, Map.of("Hostname", "worker-1")));
    var drive =
        BareMetalKinds.DRIVE
            .read()
            .apply(
                api.create(
                    BareMetalKinds.DRIVES, Drive.draft(DISK, DriveType.HDD, 1 << 30, NODE, true)));
    api.create(BareMetalKinds.CAPACITIES, AvailableCapacity.draft(drive, "HDD", 1 << 30));
    nodeSaysHowItsDriveIs();
    var recipe =
        new VolumeRecipe(
            "v",
            SizeRange.ANY,
            List.of(),
            Map.of(),
            Map.of(),
            Optional.empty(),
            Placement.ANYWHERE);
    var volume = LocalVolume.draft(recipe, "ext4", Wipe.ZERO, "ANY");
    volume.withObject("spec").put("Location", DRIVE.name()).put("NodeId", NODE).put("Size", 100);
    api.create(BareMetalKinds.VOLUMES, volume);
    status(
        BareMetalKinds.VOLUME,
        VOLUME,
        "{CSIStatus: PUBLISHED, Health: GOOD, OperationalStatus: OPERATIVE}");
    seen = cached();
    controller = new Controller();
    beat();
    controller.look();
    told.clear();
  }

  @AfterEach
  void stop() {
    server.close();
    threads.close();
  }

  private void nodeSaysHowItsDriveIs() throws IOException {
    status(BareMetalKinds.DRIVE, DRIVE, STATUS);
  }

  private void status(Kind<?> kind, ObjectKey key, String yaml) throws IOException {
    var patch = JsonNodeFactory.instance.objectNode();
    patch.set("status", YAML.readTree(yaml));
    api.patchStatus(kind.resource(), key, Patch.merge(patch));
  }

  private Snapshot cached() {
    return Snapshots.empty()
        .with(BareMetalKinds.NODE, all(BareMetalKinds.NODE))
        .with(BareMetalKinds.DRIVE, all(BareMetalKinds.DRIVE))
        .with(BareMetalKinds.VOLUME, all(BareMetalKinds.VOLUME))
        .with(BareMetalKinds.CAPACITY, all(BareMetalKinds.CAPACITY))
        .with(Kinds.NODE, all(Kinds.NODE));
  }

  private <T extends KubeObject> List<T> all(Kind<T> kind) {
    return api.list(kind.resource(), "", Selector.ALL).items().stream().map(kind.read()).toList();
  }

  /// The node lives: so it says, if the server can be reached.
  private void beat() {
    if (away) return;
    var patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("status").put(BareMetalNode.HEARTBEAT, now.toString());
    api.patchStatus(BareMetalKinds.NODES, BareMetalNode.key(NODE), Patch.merge(patch));
  }

  /// Time goes by, in steps as small as a loop's timers would be at most.
  private void pass(Duration duration, boolean alive) {
    var end = now.plus(duration);
    for (int step = 1; now.isBefore(end); step++) {
      now = now.plusSeconds(5);
      if (alive && step % 4 == 0) beat();
      controller.look();
    }
  }

  private Drive drive() {
    return all(BareMetalKinds.DRIVE).getFirst();
  }

  private LocalVolume volume() {
    return all(BareMetalKinds.VOLUME).getFirst();
  }

  private long capacity() {
    return all(BareMetalKinds.CAPACITY).getFirst().size();
  }

  private void assertNothingIsSaid() {
    assertThat(drive().observed().presence()).isEqualTo(Presence.ONLINE);
    assertThat(drive().observed().silent()).isFalse();
    assertThat(volume().operational()).isEqualTo(OperationalStatus.OPERATIVE);
    assertThat(capacity()).isPositive();
    assertThat(told).isEmpty();
  }

  /// Once heard anew, so that what is seen now is not what a new controller finds.
  private void heardAnew() {
    now = now.plusSeconds(20);
    beat();
    controller.look();
  }

  /// BM-170, BM-57, BM-72: first nothing can be had there, then nobody knows; once each, with words
  /// and events.
  @Test
  void ofANodeThatFallsSilentNobodyKnowsHowItsDrivesAre() {
    heardAnew();
    pass(Duration.ofSeconds(55), false);
    assertNothingIsSaid();
    pass(Duration.ofSeconds(10), false);
    assertThat(capacity()).isZero();
    pass(Duration.ofSeconds(50), false);
    assertThat(drive().observed().presence()).isEqualTo(Presence.ONLINE);
    pass(Duration.ofSeconds(15), false);
    var state = drive().observed();
    assertThat(state.presence()).isEqualTo(Presence.OFFLINE);
    assertThat(state.health()).isEqualTo(Health.UNKNOWN);
    assertThat(state.silent()).isTrue();
    assertThat(state.clean()).isTrue();
    assertThat(drive().available()).isFalse();
    assertThat(state.conditions().stream().map(DriveCondition::reason))
        .containsExactlyInAnyOrder("NodeSilent", "InService", "NodeSilent");
    assertThat(volume().operational()).isEqualTo(OperationalStatus.MISSING);
    assertThat(volume().health()).isEqualTo(Health.UNKNOWN);
    assertThat(told.stream().map(Notice::reason))
        .containsExactly("DriveStatusOffline", "VolumeUnknownHealth");
    assertThat(told.getFirst().message()).contains("node worker-1 does not answer");

    int asked = controller.questions;
    pass(Duration.ofHours(1), false);
    assertThat(controller.questions)
        .as("who is known to be silent is not asked for")
        .isEqualTo(asked);
    assertThat(told).hasSize(2);
  }

  /// BM-170: a node that speaks is asked for by nobody, however long it lives.
  @Test
  void aNodeThatSpeaksIsNotAskedFor() {
    pass(Duration.ofHours(2), true);
    assertNothingIsSaid();
    assertThat(controller.questions).isZero();
  }

  /// BM-24, BM-170: what the node says is not taken back, and the next silence counts anew.
  @Test
  void whatTheNodeSaysWhenItIsBackStands() throws IOException {
    heardAnew();
    pass(Duration.ofMinutes(5), false);
    assertThat(drive().observed().silent()).isTrue();
    beat();
    nodeSaysHowItsDriveIs();
    told.clear();
    pass(Duration.ofMinutes(10), true);
    assertThat(drive().observed().silent()).isFalse();
    assertThat(told).isEmpty();
    pass(Duration.ofMinutes(5), false);
    assertThat(drive().observed().silent()).isTrue();
  }

  /// BM-170: nobody can be heard while the server is away, nor right when it is back; and of a
  /// watch that tells nothing the server knows more.
  @Test
  void anOutageOrALostWatchMakesNoNodeSilent() {
    heardAnew();
    pass(Duration.ofSeconds(40), true);
    away = true;
    pass(Duration.ofMinutes(30), true);
    away = false;
    controller.look();
    assertNothingIsSaid();
    pass(Duration.ofMinutes(5), true);
    assertNothingIsSaid();
    deaf = true;
    pass(Duration.ofMinutes(30), true);
    deaf = false;
    pass(Duration.ofMinutes(5), true);
    assertNothingIsSaid();
  }

  /// BM-170: what a new controller sees first may be as old as the cluster. A node that is there
  /// says so soon, and one that is not has ten minutes.
  @Test
  void aNewControllerWaitsLonger() {
    heardAnew();
    now = now.plus(Duration.ofDays(1));
    controller = new Controller();
    pass(Duration.ofMinutes(9), false);
    assertNothingIsSaid();
    pass(Duration.ofMinutes(2), false);
    assertThat(drive().observed().silent()).isTrue();
  }

  /// BM-24: the node's word counts, also where it writes without saying that it lives.
  @Test
  void aNodeThatOnlyWritesIsNotOverruledAgainAndAgain() throws IOException {
    heardAnew();
    pass(Duration.ofMinutes(3), false);
    assertThat(drive().observed().silent()).isTrue();
    nodeSaysHowItsDriveIs();
    pass(Duration.ofMinutes(3), false);
    assertThat(drive().observed().silent()).isFalse();
  }

  /// BM-30: a person's word of its health stands.
  @Test
  void aPersonsWordOfTheHealthStands() {
    var patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("metadata").putObject("annotations").put("health", "bad");
    api.patch(BareMetalKinds.DRIVES, DRIVE, Patch.merge(patch));
    heardAnew();
    pass(Duration.ofMinutes(3), false);
    assertThat(drive().observed().health()).isEqualTo(Health.BAD);
    assertThat(volume().health()).isEqualTo(Health.BAD);
  }

  /// BM-42, BM-160: of a node that is down for maintenance nobody is told anything and its volumes
  /// are as they were; pods wait. BM-146: its drives are known to be out of reach all the same, as
  /// one of them may show itself in another node.
  @Test
  void ofANodeThatIsDownOnPurposeNobodyIsTold() throws IOException {
    api.create(
        Resources.NODES,
        (ObjectNode)
            YAML.readTree(
                """
                apiVersion: v1
                kind: Node
                metadata: {name: n, labels: {kubernetes.io/hostname: worker-1}}
                spec: {taints: [{key: node.dell.com/drain, value: planned-downtime, effect: NoSchedule}]}
                """));
    heardAnew();
    pass(Duration.ofHours(2), false);
    assertThat(capacity()).isZero();
    assertThat(drive().observed().presence()).isEqualTo(Presence.OFFLINE);
    assertThat(drive().observed().silent()).isTrue();
    assertThat(volume().operational()).isEqualTo(OperationalStatus.OPERATIVE);
    assertThat(told).isEmpty();
    api.patch(
        Resources.NODES,
        ObjectKey.cluster("n"),
        Patch.merge((ObjectNode) YAML.readTree("{spec: {taints: null}}")));
    pass(Duration.ofMinutes(1), false);
    assertThat(volume().operational()).isEqualTo(OperationalStatus.MISSING);
    assertThat(told.stream().map(Notice::reason)).containsExactly("VolumeUnknownHealth");
  }

  /// BM-160: of a node that has left nothing is said any more.
  @Test
  void aNodeThatHasNoObjectIsForgotten() {
    api.delete(
        BareMetalKinds.NODES,
        BareMetalNode.key(NODE),
        DeleteOptions.uid(all(BareMetalKinds.NODE).getFirst().meta().uid()));
    pass(Duration.ofMinutes(15), false);
    assertNothingIsSaid();
    assertThat(controller.heard.now().nodes()).isEmpty();
  }
}
