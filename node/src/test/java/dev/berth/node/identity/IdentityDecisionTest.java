package dev.berth.node.identity;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.berth.kube.cache.Snapshots;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.CsiDriver;
import dev.berth.kube.model.CsiNode;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.object.KubeObject;
import dev.berth.node.identity.IdentityEffect.AskAgain;
import dev.berth.node.identity.IdentityEffect.Confirm;
import dev.berth.node.identity.IdentityEffect.CreateCsiNode;
import dev.berth.node.identity.IdentityEffect.CreateNode;
import dev.berth.node.identity.IdentityEffect.DeleteCsiNode;
import dev.berth.node.identity.IdentityEffect.EnterDriver;
import dev.berth.node.identity.IdentityEffect.ForgetNodeId;
import dev.berth.node.identity.IdentityEffect.LabelNode;
import dev.berth.node.identity.IdentityEffect.Refuse;
import dev.berth.node.identity.IdentityEffect.ReportReady;
import dev.berth.node.identity.IdentityEffect.StrikeDriver;
import dev.berth.node.plugin.Plugin;
import dev.berth.node.plugin.PluginVersion;
import dev.berth.node.plugin.Plugins;
import dev.berth.node.runtime.Images;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IdentityDecisionTest {
  private static final NodeFacts FACTS =
      new NodeFacts(
          "n",
          Map.of("kubernetes.io/hostname", "n"),
          Map.of(),
          Map.of(),
          InetAddress.ofLiteral("127.0.0.1"));
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final Path REG = Path.of("/r/d-reg.sock");
  private static final PluginVersion V1 = new PluginVersion(1, 0, 0);
  private static final Plugin DRIVER =
      new Plugin("d", REG, Path.of("/r/d.sock"), V1, "id", Map.of("zone", "a"), 0, true, NOW);

  private static final String LABELLED =
      """
      metadata:
        name: n
        uid: u1
        labels: {kubernetes.io/hostname: n, zone: a}
        annotations:
          volumes.kubernetes.io/controller-managed-attach-detach: "true"
          csi.volume.kubernetes.io/nodeid: '{"d":"id"}'
      status:
        allocatable: {pods: "110"}
        conditions: [{type: Ready, status: "True"}]
      """;
  private static final String OWNED =
      """
      metadata: {name: n, uid: u2, ownerReferences: [{kind: Node, name: n, uid: u1}]}
      spec: {drivers: [{name: d, nodeID: id, topologyKeys: [zone]}]}
      """;

  /// Of drivers `d` and `x`.
  private static final String WITH_BOTH =
      LABELLED.replace("{\"d\":\"id\"}", "{\"d\":\"id\",\"x\":\"id\"}");

  private static JsonNode yaml(String text) {
    try {
      return new ObjectMapper(new YAMLFactory()).readTree(text);
    } catch (JsonProcessingException broken) {
      throw new IllegalStateException(broken);
    }
  }

  private static Node node(String text) {
    return Kinds.NODE.read().apply(yaml(text));
  }

  private static CsiNode csiNode(String text) {
    return Kinds.CSI_NODE.read().apply(yaml(text));
  }

  private static Step decide(Plugins.State drivers, KubeObject... objects) {
    return decide(true, drivers, objects);
  }

  private static Step decide(boolean introduced, Plugins.State drivers, KubeObject... objects) {
    var snapshot = Snapshots.empty();
    for (var object : objects)
      snapshot =
          switch (object) {
            case Node node -> snapshot.with(Kinds.NODE, node);
            case CsiNode csiNode -> snapshot.with(Kinds.CSI_NODE, csiNode);
            case CsiDriver driver -> snapshot.with(Kinds.CSI_DRIVER, driver);
            case Attachment attachment -> snapshot.with(Kinds.ATTACHMENT, attachment);
            default -> throw new IllegalArgumentException("not of this world: " + object);
          };
    return new IdentityDecision(FACTS)
        .decide(
            new View(
                snapshot,
                drivers,
                introduced,
                Images.UNKNOWN,
                Images.UNKNOWN,
                NOW.plusSeconds(59)));
  }

  private static Plugins.State registered(Plugin driver) {
    return new Plugins.State(Map.of(driver.name(), driver), Set.of());
  }

  private static Plugin unconfirmed() {
    return new Plugin("d", REG, DRIVER.endpoint(), V1, "id", Map.of("zone", "a"), 0, false, NOW);
  }

  @Test
  void theNodeIsMadeFirst() {
    assertThat(decide(registered(DRIVER))).isEqualTo(new Act(new CreateNode()));
  }

  @Test
  void thenItsCsiNode() {
    assertThat(decide(registered(DRIVER), node(LABELLED)))
        .isEqualTo(new Act(new CreateCsiNode(node(LABELLED).ref())));
  }

  @Test
  void aCsiNodeOfAnEarlierNodeGoes() { // NCSN-03, CN-05
    var stale = csiNode(OWNED.replace("u1", "u0"));
    assertThat(decide(registered(DRIVER), node(LABELLED), stale))
        .isEqualTo(new Act(new DeleteCsiNode(stale.ref())));
  }

  @Test
  void aNodeThatIsNotReadyIsReportedReady() {
    assertThat(
            decide(
                registered(DRIVER), node(LABELLED.replace("\"True\"", "Unknown")), csiNode(OWNED)))
        .isEqualTo(new Act(new ReportReady()));
  }

  @Test
  void anAgentThatHasJustStartedTellsWhoItIs() { // NRUN-13
    assertThat(decide(false, registered(DRIVER), node(LABELLED), csiNode(OWNED)))
        .isEqualTo(new Act(new ReportReady()));
  }

  @Test
  void aDriverIsWrittenToTheNodeBeforeTheCsiNode() { // NCSN-04, CN-01, CN-02
    var bare = node(LABELLED.replace("{\"d\":\"id\"}", "{}"));
    var empty = csiNode(OWNED.replaceAll("\\[\\{name: d.*]}", "[]}"));
    assertThat(decide(registered(DRIVER), bare, empty)).isEqualTo(new Act(new LabelNode(DRIVER)));
    assertThat(decide(registered(DRIVER), node(LABELLED), empty))
        .isEqualTo(new Act(new EnterDriver(DRIVER)));
  }

  @Test
  void anEntryThatSomebodyTookAwayOrChangedComesBack() { // NCSN-13
    var emptied = csiNode(OWNED.replaceAll("\\[\\{name: d.*]}", "[]}"));
    var changed = csiNode(OWNED.replace("nodeID: id", "nodeID: other"));
    var unlabelled = node(LABELLED.replace(", zone: a", ""));
    assertThat(decide(registered(DRIVER), node(LABELLED), emptied))
        .isEqualTo(new Act(new EnterDriver(DRIVER)));
    assertThat(decide(registered(DRIVER), node(LABELLED), changed))
        .isEqualTo(new Act(new EnterDriver(DRIVER)));
    assertThat(decide(registered(DRIVER), unlabelled, csiNode(OWNED)))
        .isEqualTo(new Act(new LabelNode(DRIVER)));
  }

  @ParameterizedTest
  @CsvSource({"0,", "-1,", "1, 1", "2147483647, 2147483647", "2147483648, 2147483647"})
  void aLimitIsWhatTheApiCanHold(long told, @Nullable Long written) { // NCSN-06
    var driver =
        new Plugin("d", REG, DRIVER.endpoint(), V1, "id", Map.of(), told, true, Instant.EPOCH);
    assertThat(IdentityDecision.entry(driver).maxVolumes())
        .isEqualTo(written == null ? OptionalLong.empty() : OptionalLong.of(written));
  }

  @Test
  void topologyKeysAreSorted() { // NCSN-06
    var places = Map.of("zone", "a", "rack", "1", "area", "x");
    var driver = new Plugin("d", REG, DRIVER.endpoint(), V1, "id", places, 0, true, Instant.EPOCH);
    assertThat(IdentityDecision.entry(driver).topologyKeys())
        .containsExactly("area", "rack", "zone");
  }

  @Test
  void aDriverIsToldOnceBothShowIt() {
    assertThat(decide(registered(unconfirmed()), node(LABELLED), csiNode(OWNED)))
        .isEqualTo(new Act(new Confirm(unconfirmed())));
    assertThat(decide(registered(DRIVER), node(LABELLED), csiNode(OWNED))).isEqualTo(new Settled());
  }

  private static CsiDriver asksEach(int seconds) {
    return asksEach("d", seconds);
  }

  private static CsiDriver asksEach(String driver, int seconds) {
    return Kinds.CSI_DRIVER
        .read()
        .apply(
            yaml(
                "{metadata: {name: %s}, spec: {nodeAllocatableUpdatePeriodSeconds: %d}}"
                    .formatted(driver, seconds)));
  }

  private static Attachment refused(String node, int code, String time) {
    return Kinds.ATTACHMENT
        .read()
        .apply(
            yaml(
                """
                metadata: {name: va}
                spec: {attacher: d, nodeName: %s, source: {persistentVolumeName: pv}}
                status: {attached: false, attachError: {errorCode: %d, time: "%s"}}
                """
                    .formatted(node, code, time)));
  }

  @Test
  void aDriverIsAskedAgainHowManyVolumesFitInItsPeriod() { // NCSN-09, CN-07
    assertThat(decide(registered(DRIVER), node(LABELLED), csiNode(OWNED), asksEach(59)))
        .isEqualTo(new Act(new AskAgain(DRIVER)));
    assertThat(decide(registered(DRIVER), node(LABELLED), csiNode(OWNED), asksEach(60)))
        .isEqualTo(new Settled().lookAgainAt(NOW.plusSeconds(60)));
    var counted =
        new Plugin("d", REG, DRIVER.endpoint(), V1, "id", Map.of("zone", "a"), 9, true, NOW);
    var more = registered(counted);
    assertThat(decide(more, node(LABELLED), csiNode(OWNED), asksEach(60)))
        .isEqualTo(new Act(new EnterDriver(counted)));
  }

  @Test
  void aDriverThatRefusedToAttachForWantOfRoomIsAskedAtOnce() { // NCSN-10, ATT-47
    var late = refused("n", 8, "2026-11-21T12:00:30Z");
    assertThat(decide(registered(DRIVER), node(LABELLED), csiNode(OWNED), asksEach(600), late))
        .isEqualTo(new Act(new AskAgain(DRIVER)));
    for (var other :
        List.of(
            refused("n", 8, "2026-11-21T11:59:30Z"),
            refused("m", 8, "2026-11-21T12:00:30Z"),
            refused("n", 13, "2026-11-21T12:00:30Z")))
      assertThat(decide(registered(DRIVER), node(LABELLED), csiNode(OWNED), asksEach(600), other))
          .isEqualTo(new Settled().lookAgainAt(NOW.plusSeconds(600)));
    assertThat(decide(registered(DRIVER), node(LABELLED), csiNode(OWNED), late))
        .isEqualTo(new Settled());
  }

  private static Plugin named(String name, Instant asked) {
    return new Plugin(name, REG, DRIVER.endpoint(), V1, "id", Map.of(), 0, true, asked);
  }

  private static Plugins.State both(Plugin one, Plugin other) {
    return new Plugins.State(Map.of(one.name(), one, other.name(), other), Set.of("e"));
  }

  private static CsiNode entries(String others) {
    return csiNode(OWNED.replaceAll("\\[\\{name: d.*]}", "[{name: d, nodeID: id}" + others + "]}"));
  }

  /// It may hang for minutes, each time.
  @Test
  void aDriverIsAskedAgainOnlyWhenNothingElseIsToBeDone() { // NCSN-09, NCSN-13
    var due = named("d", NOW);
    var fresh = named("x", NOW.plusSeconds(30));
    var both = both(due, fresh);
    assertThat(decide(both, node(LABELLED), entries(""), asksEach(10)))
        .isEqualTo(new Act(new LabelNode(fresh)));
    assertThat(decide(both, node(WITH_BOTH), entries(""), asksEach(10)))
        .isEqualTo(new Act(new EnterDriver(fresh)));
    var stale = entries(", {name: x, nodeID: id}, {name: e, nodeID: id}");
    assertThat(decide(both, node(WITH_BOTH), stale, asksEach(10)))
        .isEqualTo(new Act(new StrikeDriver("e")));
    assertThat(decide(both, node(WITH_BOTH), entries(", {name: x, nodeID: id}"), asksEach(10)))
        .isEqualTo(new Act(new AskAgain(due)));
  }

  @Test
  void ofTwoDriversTheOneIsAskedThatWasAskedLongestAgo() { // NCSN-09
    var hangs = named("d", NOW.plusSeconds(20));
    var waits = named("x", NOW);
    assertThat(
            decide(
                both(hangs, waits),
                node(WITH_BOTH),
                entries(", {name: x, nodeID: id}"),
                asksEach(10),
                asksEach("x", 10)))
        .isEqualTo(new Act(new AskAgain(waits)));
  }

  @Test
  void aRefusalByAClockThatIsAheadIsNoReasonToAskAllTheTime() { // NCSN-10
    var ahead = refused("n", 8, "2026-11-21T12:05:00Z");
    var justAsked = named("d", NOW.plusSeconds(55));
    assertThat(decide(registered(justAsked), node(LABELLED), entries(""), asksEach(600), ahead))
        .isEqualTo(new Settled().lookAgainAt(NOW.plusSeconds(65)));
    assertThat(new AskAgain(justAsked).likeness()).isEqualTo(new AskAgain(DRIVER).likeness());
  }

  @Test
  void aTopologyThatContradictsALabelIsRefused() { // NCSN-05, CN-04
    var step =
        decide(registered(DRIVER), node(LABELLED.replace("zone: a", "zone: b")), csiNode(OWNED));
    assertThat(step)
        .isInstanceOfSatisfying(
            Act.class,
            act ->
                assertThat(act.effect())
                    .isInstanceOfSatisfying(
                        Refuse.class,
                        refuse -> assertThat(refuse.why()).contains("topology value collision")));
  }

  @Test
  void aDriverThatWentLeavesTheCsiNodeBeforeTheNode() { // NCSN-08, REG-13
    var gone = new Plugins.State(Map.of(), Set.of("d"));
    assertThat(decide(gone, node(LABELLED), csiNode(OWNED)))
        .isEqualTo(new Act(new StrikeDriver("d")));
    assertThat(decide(gone, node(LABELLED), csiNode(OWNED.replaceAll("\\[\\{name: d.*]}", "[]}"))))
        .isEqualTo(new Act(new ForgetNodeId("d")));
  }

  @Test
  void aDriverThatHasNotRegisteredYetAfterARestartIsLeftAlone() {
    assertThat(decide(new Plugins.State(Map.of(), Set.of()), node(LABELLED), csiNode(OWNED)))
        .isEqualTo(new Settled());
  }
}
