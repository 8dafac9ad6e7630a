package dev.berth.driver.baremetal.silence;

import dev.berth.driver.baremetal.decide.Indexes;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.BareMetalNode;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.DriveCondition;
import dev.berth.driver.baremetal.object.DriveState;
import dev.berth.driver.baremetal.object.Health;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.driver.baremetal.object.OperationalStatus;
import dev.berth.driver.baremetal.object.Presence;
import dev.berth.driver.baremetal.silence.SilenceEffect.Ask;
import dev.berth.driver.baremetal.silence.SilenceEffect.Doubt;
import dev.berth.driver.baremetal.silence.SilenceEffect.Forget;
import dev.berth.driver.baremetal.silence.SilenceEffect.Hear;
import dev.berth.driver.baremetal.silence.SilenceEffect.Miss;
import dev.berth.driver.baremetal.silence.SilenceEffect.Withdraw;
import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.event.Notice;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.name.Labels;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.Ref;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Says of the drives of a node that does not answer that nobody knows how they are (BM-170). What
/// they are the node alone says, when it speaks again (BM-24): nothing is taken back here.
///
/// A watch tells of each sign of life. Where none has come for a while the server itself is asked,
/// as a watch that is lost or a server that is away must not make a node silent: only what the
/// server has said counts, never the time that went by.
public record SilenceKeeper() implements Decider<String, SilenceKeeper.View, SilenceEffect> {
  /// How long without a sign before the server is asked, and between two such questions.
  static final Duration PERIOD = Duration.ofSeconds(30);

  /// Answers after which nothing can be had on the node: 60 s at least.
  static final int WITHDRAWN = 2;

  /// Answers after which nobody knows how its drives are: 120 s at least.
  static final int SILENT = 4;

  /// Answers of a controller that has just begun: what it has seen first may be old.
  static final int NEW = 20;

  /// Of a Kubernetes Node: it is down on purpose (BM-42).
  private static final String DRAIN = "node.dell.com/drain";

  private static final String PLANNED = "planned-downtime";

  private static final Index<Node> NODES_BY_HOST =
      new Index<>(
          Kinds.NODE,
          "host",
          node ->
              Stream.of(node.meta().name(), node.meta().labels().getOrDefault(Labels.HOSTNAME, ""))
                  .distinct()
                  .toList());

  /// What there is to see.
  public record View(Facts facts, Heard heard, Instant now) {}

  @Override
  public String name() {
    return "silence-keeper";
  }

  @Override
  public List<Trigger<?, String>> triggers() {
    return List.of(
        Trigger.on(BareMetalKinds.NODE, (change, _) -> Stream.of(change.latest().uuid())),
        Trigger.on(BareMetalKinds.DRIVE, (change, _) -> Stream.of(change.latest().nodeId())),
        Trigger.none(BareMetalKinds.VOLUME),
        Trigger.none(BareMetalKinds.CAPACITY),
        Trigger.none(Kinds.NODE),
        Trigger.none(Heard.TOPIC));
  }

  @Override
  public View view(Facts facts, Instant now) {
    return new View(facts, facts.of(Heard.TOPIC), now);
  }

  @Override
  public Step decide(View view, String id) {
    var beat = view.heard.of(id);
    return switch (view.facts.get(BareMetalKinds.NODE, BareMetalNode.key(id))) {
      case Missing<BareMetalNode> _ -> beat.isPresent() ? new Act(new Forget(id)) : new Settled();
      // one that has never said anything is of an older version
      case Found<BareMetalNode>(var node) when node.heartbeat().isEmpty() -> new Settled();
      case Found<BareMetalNode>(var node) ->
          beat.filter(it -> it.sign().equals(sign(node)))
              .map(it -> heard(view, node, it))
              .orElseGet(
                  () -> new Act(new Hear(id, Heard.Beat.of(sign(node), beat.isEmpty(), view.now))));
    };
  }

  /// What a node that lives changes.
  static String sign(BareMetalNode node) {
    return node.meta().uid() + " " + node.heartbeat();
  }

  private static Step heard(View view, BareMetalNode node, Heard.Beat beat) {
    int enough = beat.first() ? NEW : SILENT;
    if (beat.asked() >= (beat.first() ? NEW : WITHDRAWN)) {
      var next = withdrawn(view, node, beat);
      if (next.isPresent()) return next.get();
    }
    if (beat.asked() >= enough) return silent(view, node, beat);
    var again = beat.at().plus(PERIOD);
    return view.now.isBefore(again)
        ? new Settled().lookAgainAt(again)
        : new Act(new Ask(node, beat, view.now));
  }

  private static boolean isDownOnPurpose(View view, BareMetalNode node) {
    var host = node.addresses().getOrDefault("Hostname", "");
    return !host.isEmpty()
        && view.facts.by(NODES_BY_HOST, host).stream()
            .flatMap(it -> it.taints().stream())
            .anyMatch(it -> it.key().equals(DRAIN) && it.value().equals(PLANNED));
  }

  private static Optional<Step> withdrawn(View view, BareMetalNode node, Heard.Beat beat) {
    return drives(view, node)
        .flatMap(
            drive -> view.facts.get(BareMetalKinds.CAPACITY, drive.meta().key()).found().stream())
        .filter(it -> it.size() > 0 && !beat.doubted().contains(it.meta().uid()))
        .findFirst()
        .map(it -> new Act(new Withdraw(node.uuid(), it)));
  }

  /// BM-160: of a node that is down on purpose nobody is told anything, and its volumes stay as
  /// they were. Its drives do not: nothing is to be had of them, and one that is pulled from it and
  /// shows itself in another node must be known for what it may be (BM-146).
  private static Step silent(View view, BareMetalNode node, Heard.Beat beat) {
    boolean onPurpose = isDownOnPurpose(view, node);
    for (var drive : drives(view, node).toList()) {
      if (!beat.doubted().contains(drive.meta().uid())) {
        var state = doubted(drive, view.now);
        if (drive.looked() && !state.equals(drive.observed()))
          return new Act(
              new Doubt(node.uuid(), drive, state, onPurpose ? List.of() : notices(drive, node)));
      }
      if (onPurpose) continue;
      for (var volume : view.facts.by(Indexes.VOLUMES_BY_DRIVE, drive.uuid()))
        if (!beat.doubted().contains(volume.meta().uid()) && isToBeMissed(volume))
          return new Act(
              new Miss(
                  node.uuid(),
                  volume,
                  Notice.warning(volume.ref(), "VolumeUnknownHealth", why(node))));
    }
    return onPurpose ? new Settled().lookAgainAt(view.now.plus(PERIOD)) : new Settled();
  }

  private static Stream<Drive> drives(View view, BareMetalNode node) {
    return view.facts.by(Indexes.DRIVES_BY_NODE, node.uuid()).stream();
  }

  /// BM-72: of one that is made, as of one on a drive that is not there.
  private static boolean isToBeMissed(LocalVolume volume) {
    return volume.made() && volume.operational() != OperationalStatus.MISSING;
  }

  /// BM-57: a person's word of its health stands. Where it is on its way out of service, and what
  /// is on it, is as it was.
  private static DriveState doubted(Drive drive, Instant now) {
    var before = drive.observed();
    var conditions = new ArrayList<DriveCondition>();
    for (var each : before.conditions())
      conditions.add(
          switch (each.type()) {
            case "Available", "Healthy" -> unknown(each, now);
            default -> each;
          });
    return new DriveState(
        drive.override().orElse(Health.UNKNOWN),
        Presence.OFFLINE,
        before.usage(),
        before.path(),
        before.clean(),
        before.system(),
        before.ledState(),
        conditions);
  }

  private static DriveCondition unknown(DriveCondition before, Instant now) {
    return new DriveCondition(
        before.type(),
        false,
        DriveState.SILENT,
        "its node does not answer: nobody knows how the drive is; look at the driver's pod there",
        before.holds() ? now.truncatedTo(ChronoUnit.SECONDS) : before.since());
  }

  private static List<Notice> notices(Drive drive, BareMetalNode node) {
    return drive.observed().presence() == Presence.OFFLINE
        ? List.of()
        : List.of(Notice.warning(drive.ref(), "DriveStatusOffline", why(node)));
  }

  private static String why(BareMetalNode node) {
    return "node %s does not answer: nobody knows how its drives are"
        .formatted(node.addresses().getOrDefault("Hostname", node.uuid()));
  }

  @Override
  public Class<SilenceEffect> effectType() {
    return SilenceEffect.class;
  }

  /// It makes nobody wait: the drive says that its node is silent.
  @Override
  public Stream<String> about(Ref subject, Snapshot objects) {
    return Stream.empty();
  }
}
