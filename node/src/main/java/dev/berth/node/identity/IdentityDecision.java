package dev.berth.node.identity;

import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.CsiNode;
import dev.berth.kube.model.Node;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.node.identity.IdentityEffect.AskAgain;
import dev.berth.node.identity.IdentityEffect.Confirm;
import dev.berth.node.identity.IdentityEffect.CreateCsiNode;
import dev.berth.node.identity.IdentityEffect.CreateNode;
import dev.berth.node.identity.IdentityEffect.DeleteCsiNode;
import dev.berth.node.identity.IdentityEffect.EnterDriver;
import dev.berth.node.identity.IdentityEffect.ForgetNodeId;
import dev.berth.node.identity.IdentityEffect.LabelNode;
import dev.berth.node.identity.IdentityEffect.Refuse;
import dev.berth.node.identity.IdentityEffect.ReportImages;
import dev.berth.node.identity.IdentityEffect.ReportReady;
import dev.berth.node.identity.IdentityEffect.StrikeDriver;
import dev.berth.node.plugin.Plugin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;

/// Makes the API say of this node what is so. Level-triggered: an entry that somebody removed comes
/// back (NCSN-13).
final class IdentityDecision {
  /// Between two questions to one driver.
  private static final Duration PAUSE = Duration.ofSeconds(10);

  private final NodeFacts facts;

  IdentityDecision(NodeFacts facts) {
    this.facts = facts;
  }

  Step decide(View view) {
    return switch (view.node(facts.name())) {
      case Missing<Node> _ -> new Act(new CreateNode());
      case Found(var node) ->
          switch (view.csiNode(facts.name())) {
            case Missing<CsiNode> _ -> new Act(new CreateCsiNode(node.ref())); // NCSN-01
            case Found(var csiNode) when !owns(node, csiNode) ->
                new Act(new DeleteCsiNode(csiNode.ref())); // NCSN-03
            case Found(var _) when !view.introduced() || !ready(node) -> new Act(new ReportReady());
            case Found(var _)
                when view.images().known() && !view.images().equals(view.reported()) ->
                new Act(new ReportImages(view.images()));
            case Found(var csiNode) -> drivers(view, node, csiNode);
          };
    };
  }

  /// The first driver that is not as it should be. A question to a driver takes as long as the
  /// driver likes, so it comes when all else is done, and to whom it was put longest ago.
  private Step drivers(View view, Node node, CsiNode csiNode) {
    var settled = new Settled();
    var due = new ArrayList<Plugin>();
    for (var driver : new TreeMap<>(view.drivers().registered()).values())
      switch (driver(view, driver, node, csiNode)) {
        case Settled done -> settled = sooner(settled, done);
        case Act(AskAgain(var plugin), _) -> due.add(plugin);
        case Step step -> {
          return step;
        }
      }
    for (var name : new TreeSet<>(view.drivers().departed())) { // NCSN-08: the CSINode first
      if (csiNode.driver(name).isPresent()) return new Act(new StrikeDriver(name));
      if (NodeIds.of(node).containsKey(name)) return new Act(new ForgetNodeId(name));
    }
    return due.stream()
        .min(Comparator.comparing(Plugin::asked))
        .<Step>map(plugin -> new Act(new AskAgain(plugin)))
        .orElse(settled);
  }

  /// At which is looked again first.
  private static Settled sooner(Settled one, Settled other) {
    if (one.again().isEmpty() || other.again().isEmpty())
      return one.again().isPresent() ? one : other;
    return one.again().get().isBefore(other.again().get()) ? one : other;
  }

  private Step driver(View view, Plugin driver, Node node, CsiNode csiNode) {
    for (var segment : new TreeMap<>(driver.topology()).entrySet()) { // NCSN-05
      var label = node.meta().labels().get(segment.getKey());
      if (label != null && !label.equals(segment.getValue()))
        return new Act(new Refuse(driver, collision(segment.getKey(), segment.getValue(), label)));
    }
    if (!labelled(driver, node)) return new Act(new LabelNode(driver));
    if (!entered(driver, csiNode)) return new Act(new EnterDriver(driver));
    return driver.confirmed() ? asked(view, driver) : new Act(new Confirm(driver));
  }

  /// NCSN-09: in the period that the driver's CSIDriver gives; and at once when a volume of it did
  /// not find room here (NCSN-10), so that the scheduler hears of it. By a clock that is ahead of
  /// ours that goes on for a while.
  private Step asked(View view, Plugin driver) {
    var period = view.updates(driver.name());
    if (period.isEmpty()) return new Settled();
    boolean full = view.overcrowded(driver.name(), facts.name(), driver.asked());
    var pause = full && PAUSE.compareTo(period.get()) < 0 ? PAUSE : period.get();
    var due = driver.asked().plus(pause);
    return view.now().isBefore(due)
        ? new Settled().lookAgainAt(due)
        : new Act(new AskAgain(driver));
  }

  private static String collision(String key, String reported, String label) {
    return "RegisterPlugin error -- plugin registration failed with err: detected topology value"
        + " collision: driver reported \""
        + key
        + "\":\""
        + reported
        + "\" but existing label is \""
        + key
        + "\":\""
        + label
        + "\"; remove the label if it is out of date: kubectl label node NAME "
        + key
        + "-";
  }

  private static boolean owns(Node node, CsiNode csiNode) {
    return csiNode.meta().owners().stream()
        .anyMatch(owner -> owner.uid().equals(node.meta().uid()));
  }

  private boolean ready(Node node) {
    return node.ready()
        && node.managed()
        && node.maxPods().isPresent()
        && node.meta().labels().entrySet().containsAll(facts.labels().entrySet());
  }

  private static boolean labelled(Plugin driver, Node node) {
    return driver.nodeId().equals(NodeIds.of(node).get(driver.name()))
        && node.meta().labels().entrySet().containsAll(driver.topology().entrySet());
  }

  private static boolean entered(Plugin driver, CsiNode csiNode) {
    return csiNode.driver(driver.name()).filter(entry -> entry.equals(entry(driver))).isPresent();
  }

  /// NCSN-06.
  static CsiNode.Driver entry(Plugin driver) {
    var limit = Math.min(driver.maxVolumes(), Integer.MAX_VALUE);
    return new CsiNode.Driver(
        driver.name(),
        driver.nodeId(),
        driver.topology().keySet().stream().sorted().toList(),
        limit > 0 ? OptionalLong.of(limit) : OptionalLong.empty());
  }
}
