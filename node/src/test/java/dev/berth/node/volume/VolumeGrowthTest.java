package dev.berth.node.volume;

import static dev.berth.node.volume.World.ATTACHED;
import static dev.berth.node.volume.World.NAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.EmbeddedApiServer;
import dev.berth.apiserver.local.LocalApi;
import dev.berth.apiserver.store.MemoryStore;
import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.NodeServiceCapability.RPC;
import dev.berth.kube.api.Patch;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.ClaimCondition;
import dev.berth.kube.model.ClaimGrowth.Stage;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.time.SystemTime;
import dev.berth.kube.value.Quantity;
import dev.berth.node.driver.Drivers;
import dev.berth.node.testing.MemoryDriver;
import dev.berth.node.testing.MemoryFiles;
import dev.berth.node.testing.TestNode;
import dev.berth.node.token.PodTokens;
import dev.berth.node.volume.MountEffect.Grow;
import dev.berth.node.volume.MountEffect.Publish;
import dev.berth.node.volume.MountEffect.Telling;
import dev.berth.node.volume.state.ActualState;
import dev.berth.node.volume.state.Publication;
import dev.berth.node.volume.state.Size;
import dev.berth.node.volume.state.Staging;
import dev.berth.node.volume.state.VolumeState.Attached;
import io.grpc.Status.Code;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What is on a volume grows when its controller has made the volume larger.
class VolumeGrowthTest {
  private static final Quantity TWO = Quantity.parse("2Gi");
  private static final String CLAIM =
      """
      metadata: {namespace: ns, name: data, uid: claim-1}
      spec: {volumeName: pv-1, accessModes: [ReadWriteOnce], resources: {requests: {storage: 2Gi}}}
      status:
        phase: Bound
        capacity: {storage: 1Gi}
        allocatedResources: {storage: 2Gi}
        allocatedResourceStatuses: {storage: NodeResizePending}
      """;
  private static final String VOLUME =
      World.VOLUME.replace("spec:", "spec:\n  capacity: {storage: 2Gi}");

  /// Mounted for the pod, and larger than what is on it.
  private static final World LARGER =
      ATTACHED
          .with(Kinds.CLAIM, CLAIM)
          .with(Kinds.VOLUME, VOLUME)
          .withVolume(volume ->
              volume
                  .with(new Attached("va-1", Map.of()))
                  .with(new Staging.Present(""))
                  .with("pod-1", new Publication.Present("pv-1", World.NOW)));

  /// A second node of a volume that several have; another node has told the claim.
  private static final World TOLD_ELSEWHERE =
      LARGER
          .with(
              Kinds.CLAIM,
              CLAIM
                  .replace("{storage: 1Gi}", "{storage: 2Gi}")
                  .replace("ReadWriteOnce", "ReadWriteMany")
                  .replace("  allocatedResourceStatuses: {storage: NodeResizePending}\n", ""))
          .withVolume(volume -> volume.with(Size.UNKNOWN.came(Quantity.parse("1Gi"))));

  private static Step decide(World world) {
    return new MountDecision().decide(world.view(), NAME);
  }

  private static Grow grow(Telling telling) {
    return new Grow(NAME, TWO, telling, new Seen<>(LARGER.want()));
  }

  @ParameterizedTest
  @CsvSource({
    "NodeResizePending, true",
    "NodeResizeInProgress, true",
    "NodeResizeInfeasible, false",
    "ControllerResizeInProgress, false"
  })
  void aNodeFollowsWhenItIsItsTurn(String stage, boolean grows) { // RSZ-70, RSZ-74, NEXP-04
    var world = LARGER.with(Kinds.CLAIM, CLAIM.replace("NodeResizePending", stage));
    assertThat(decide(world)).isEqualTo(grows ? new Act(grow(Telling.THE_CLAIM)) : new Settled());
  }

  @Test
  void whatIsAsLargeAsTheVolumeStaysSo() { // RSZ-70
    var world =
        LARGER.with(
            Kinds.CLAIM, CLAIM.replace("capacity: {storage: 1Gi}", "capacity: {storage: 2Gi}"));
    assertThat(decide(world)).isEqualTo(new Settled());
  }

  @Test
  void aSizeThatWasRefusedWhileInUseIsNotAskedForAgain() { // RSZ-73, NEXP-02
    var world = LARGER.withVolume(volume -> volume.with(volume.size().refuse(TWO)));
    assertThat(decide(world)).isEqualTo(new Settled());
  }

  @Test
  void anotherNodeOfTheVolumeFollowsWithoutAWord() { // RSZ-70, NEXP-06
    assertThat(decide(TOLD_ELSEWHERE)).isEqualTo(new Act(grow(Telling.NOBODY)));
    var grown = TOLD_ELSEWHERE.withVolume(volume -> volume.with(volume.size().grown(TWO)));
    assertThat(decide(grown)).isEqualTo(new Settled());
  }

  @Test
  void unlessNoNodeHasToFollow() { // RSZ-75, NEXP-06
    var claim =
        CLAIM
            .replace("{storage: 1Gi}", "{storage: 2Gi}")
            .replace("ReadWriteOnce", "ReadWriteMany")
            .replace("  allocatedResourceStatuses: {storage: NodeResizePending}\n", "")
            .replace(
                "uid: claim-1",
                "uid: claim-1, annotations: {volume.kubernetes.io/node-expansion-not-required:"
                    + " \"true\"}");
    assertThat(decide(TOLD_ELSEWHERE.with(Kinds.CLAIM, claim))).isEqualTo(new Settled());
  }

  @Test
  void aVolumeWhoseControllerNamesNoStageGrowsToo() { // NEXP-01, RSZ-76
    var unnamed =
        CLAIM
            .replace("  allocatedResources: {storage: 2Gi}\n", "")
            .replace("  allocatedResourceStatuses: {storage: NodeResizePending}\n", "");
    assertThat(decide(LARGER.with(Kinds.CLAIM, unnamed)))
        .isEqualTo(new Act(grow(Telling.THE_CLAIM)));
    // Of one that does the node waits for its turn.
    var named = CLAIM.replace("  allocatedResourceStatuses: {storage: NodeResizePending}\n", "");
    assertThat(decide(LARGER.with(Kinds.CLAIM, named))).isEqualTo(new Settled());
    // Nothing is known of how large it was.
    var untold = unnamed.replace("  capacity: {storage: 1Gi}\n", "");
    assertThat(decide(LARGER.with(Kinds.CLAIM, untold))).isEqualTo(new Settled());
  }

  @Test
  void whoMayOnlyReadMakesNothingGrow() { // RSZ-70, NEXP-01
    var reader = World.POD.replace("{claimName: data}", "{claimName: data, readOnly: true}");
    assertThat(decide(LARGER.with(Kinds.POD, reader)))
        .isInstanceOfSatisfying(
            Settled.class,
            step ->
                assertThat(step.warning().map(Notice::reason)).contains("FileSystemResizeFailed"));
  }

  private static final String REPUBLISHES =
      "{metadata: {name: disk.berth.dev}, spec: {requiresRepublish: true}}";

  @Test
  void whatIsPublishedAgainIsSoThoughItCannotGrow() { // NVM-07, NCSI-10
    var due = World.NOW.plusSeconds(60);
    var larger = LARGER.with(Kinds.CSI_DRIVER, REPUBLISHES);
    var reader = World.POD.replace("{claimName: data}", "{claimName: data, readOnly: true}");
    for (var world : List.of(larger, larger.with(Kinds.POD, reader)))
      assertThat(decide(world.at(due)))
          .isInstanceOfSatisfying(
              Act.class, act -> assertThat(act.effect()).isInstanceOf(MountEffect.Republish.class));
    assertThat(decide(larger)).isEqualTo(new Act(grow(Telling.THE_CLAIM)));
    assertThat(decide(larger.with(Kinds.POD, reader)))
        .isInstanceOfSatisfying(Settled.class, step -> assertThat(step.again()).contains(due));
  }

  @Test
  void aDriverThatIsNotThereIsWaitedFor() {
    assertThat(decide(LARGER.withDrivers())).isInstanceOf(Wait.class);
  }

  private final MemoryDriver driver =
      new MemoryDriver(RPC.Type.STAGE_UNSTAGE_VOLUME, RPC.Type.EXPAND_VOLUME);
  private final ActualState state = new ActualState(ATTACHED.actual());
  private final List<Notice> told = new CopyOnWriteArrayList<>();
  private final SystemTime time = new SystemTime("growth");
  private EmbeddedApiServer server;
  private LocalApi api;
  private MountEffects effects;
  private World world;

  @BeforeEach
  void published() throws Exception {
    var drivers = new Drivers();
    drivers.register(MemoryDriver.NAME, driver);
    server = EmbeddedApiServer.start(new MemoryStore());
    api = new LocalApi(server, Thread::startVirtualThread);
    api.create(Resources.NAMESPACES, (ObjectNode) TestNode.yaml("{metadata: {name: ns}}"));
    api.create(Resources.CLAIMS, (ObjectNode) TestNode.yaml(CLAIM));
    api.patchStatus(
        Resources.CLAIMS,
        ObjectKey.of("ns", "data"),
        Patch.merge(((ObjectNode) TestNode.yaml(CLAIM)).retain("status")));
    world =
        LARGER
            .with(Kinds.CLAIM, claimJson())
            .with(Kinds.VOLUME, VOLUME.replace("uid: claim-1", "uid: " + claim().meta().uid()));
    effects =
        new MountEffects(
            "n",
            api,
            drivers,
            new MemoryFiles(driver),
            state,
            told::add,
            time,
            new PodTokens(api, time::now));
    effects.carryOut(new MountEffect.Stage(world.want(), Optional.empty()));
    effects.carryOut(new Publish(world.want(), false, Optional.empty()));
    driver.forgetCalls();
    told.clear();
  }

  @AfterEach
  void stop() {
    server.close();
    time.close();
  }

  private String claimJson() {
    return api.get(Resources.CLAIMS, ObjectKey.of("ns", "data")).toString();
  }

  private Claim claim() {
    return Kinds.CLAIM.read().apply(api.get(Resources.CLAIMS, ObjectKey.of("ns", "data")));
  }

  private Grow growNow(Telling telling) {
    return new Grow(NAME, TWO, telling, new Seen<>(world.with(Kinds.CLAIM, claimJson()).want()));
  }

  private List<String> reasons() {
    return told.stream().map(it -> it.about().resource().kind() + " " + it.reason()).toList();
  }

  @Test
  void theDriverIsAskedAndTheClaimSaysHowLargeItIs() throws Exception { // RSZ-71, RSZ-72, NEXP-03
    effects.carryOut(growNow(Telling.THE_CLAIM));

    assertThat(driver.calls()).containsExactly("expand vol-1 " + TWO.toLong());
    var request = driver.latestGrowth();
    assertThat(request.getStagingTargetPath()).isNotEmpty();
    assertThat(request.getVolumeCapability().getMount().getFsType()).isEqualTo("ext4");
    assertThat(claim().capacity()).contains(TWO);
    assertThat(claim().growth().stage()).isEqualTo(Stage.NONE);
    assertThat(claim().growth().allocated()).contains(TWO);
    assertThat(reasons())
        .containsExactly(
            "Pod FileSystemResizeSuccessful", "PersistentVolumeClaim FileSystemResizeSuccessful");
    assertThat(told.getFirst().message())
        .isEqualTo("MountVolume.NodeExpandVolume succeeded for volume \"pv-1\" n");
    assertThat(state.now().volume(NAME).size().here()).contains(TWO);
  }

  @Test
  void whereAnotherNodeHasToldNothingIsWritten() throws Exception { // RSZ-70
    var before = claimJson();
    effects.carryOut(growNow(Telling.NOBODY));
    assertThat(driver.calls()).hasSize(1);
    assertThat(claimJson()).isEqualTo(before);
    assertThat(state.now().volume(NAME).size().here()).contains(TWO);
  }

  @Test
  void aFinalFailureIsToldAndASizeThatCannotBeHadIsGivenBack() { // RSZ-73, RSZ-74, NEXP-05
    driver.refuseNext(Code.INTERNAL, Code.OUT_OF_RANGE);
    assertThatThrownBy(() -> effects.carryOut(growNow(Telling.THE_CLAIM)))
        .isInstanceOf(CsiException.class);
    assertThat(claim().growth().stage()).isEqualTo(Stage.NODE_IN_PROGRESS);
    assertThat(claim().condition("NodeResizeError").map(ClaimCondition::message))
        .contains("failed to expand pvc with rpc error: code = Internal desc = told to refuse");
    assertThat(reasons()).containsExactly("Pod VolumeResizeFailed");

    assertThatThrownBy(() -> effects.carryOut(growNow(Telling.THE_CLAIM)))
        .isInstanceOf(CsiException.class);
    assertThat(claim().growth().stage()).isEqualTo(Stage.NODE_INFEASIBLE);
  }

  @Test
  void afterAFailureAClaimThatAsksForLessIsTheControllersAgain() { // RSZ-73
    driver.refuseNext(Code.INTERNAL, Code.INTERNAL, Code.INTERNAL);
    for (int i = 0; i < 2; i++)
      assertThatThrownBy(() -> effects.carryOut(growNow(Telling.THE_CLAIM)))
          .isInstanceOf(CsiException.class);
    assertThat(claim().growth().stage()).isEqualTo(Stage.NODE_IN_PROGRESS);
    world =
        world.with(
            Kinds.CLAIM, claimJson().replace("\"storage\":\"2Gi\"}}", "\"storage\":\"1536Mi\"}}"));
    var asksForLess =
        new Grow(
            NAME,
            TWO,
            Telling.THE_CLAIM,
            new Seen<>(
                world
                    .with(
                        Kinds.CLAIM,
                        claimJson()
                            .replace(
                                "\"requests\":{\"storage\":\"2Gi\"}",
                                "\"requests\":{\"storage\":\"1536Mi\"}"))
                    .want()));
    assertThatThrownBy(() -> effects.carryOut(asksForLess)).isInstanceOf(CsiException.class);
    assertThat(claim().growth().stage()).isEqualTo(Stage.NODE_INFEASIBLE);
  }

  /// Its pod's successor may be here before the volume is forgotten.
  @Test
  void whatDoesNotGrowInUseIsAskedForAgainWhenItIsMountedNext() throws Exception { // RSZ-73
    driver.refuseNext(Code.FAILED_PRECONDITION);
    effects.carryOut(growNow(Telling.THE_CLAIM));
    assertThat(state.now().volume(NAME).size().refused()).contains(TWO);
    effects.carryOut(new MountEffect.Unpublish(NAME, "pod-1"));
    assertThat(state.now().volume(NAME).size().refused()).contains(TWO);
    effects.carryOut(new MountEffect.Unstage(NAME));
    assertThat(state.now().volume(NAME).size().refused()).isEmpty();
  }

  /// The claim has less than its volume, and nobody says that a node has to follow (NEXP-01).
  @Test
  void aDriverThatCannotGrowOnANodeIsNotAskedAllTheTime() throws Exception {
    var drivers = new Drivers();
    drivers.register(MemoryDriver.NAME, new MemoryDriver(RPC.Type.STAGE_UNSTAGE_VOLUME));
    var without =
        new MountEffects(
            "n",
            api,
            drivers,
            new MemoryFiles(driver),
            state,
            told::add,
            time,
            new PodTokens(api, time::now));
    assertThatThrownBy(() -> without.carryOut(growNow(Telling.THE_CLAIM)))
        .hasMessageContaining("NodeExpand is not supported");
    api.patchStatus(
        Resources.CLAIMS,
        ObjectKey.of("ns", "data"),
        Patch.merge(
            TestNode.yaml("status: {allocatedResourceStatuses: null, allocatedResources: null}")));
    without.carryOut(growNow(Telling.THE_CLAIM));
    assertThat(reasons()).containsExactly("Pod VolumeResizeFailed");
    assertThat(state.now().volume(NAME).size().refused()).contains(TWO);
  }

  @Test
  void anUnknownOutcomeIsAskedForAgainWithoutAWordInTheClaim() { // RSZ-73
    driver.failAfter(call -> call.startsWith("expand"), Code.DEADLINE_EXCEEDED);
    assertThatThrownBy(() -> effects.carryOut(growNow(Telling.THE_CLAIM)))
        .isInstanceOf(CsiException.class);
    assertThat(claim().growth().stage()).isEqualTo(Stage.NODE_IN_PROGRESS);
    assertThat(claim().conditions()).isEmpty();
  }

  @Test
  void aDriverThatDoesNotDoItInUseIsNotAskedAgain() throws Exception { // RSZ-73
    driver.refuseNext(Code.FAILED_PRECONDITION);
    effects.carryOut(growNow(Telling.THE_CLAIM));
    assertThat(state.now().volume(NAME).size().refused()).contains(TWO);
  }
}
