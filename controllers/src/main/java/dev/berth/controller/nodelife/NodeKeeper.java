package dev.berth.controller.nodelife;

import dev.berth.controller.nodelife.NodeEffect.Doubt;
import dev.berth.controller.nodelife.NodeEffect.Forget;
import dev.berth.controller.nodelife.NodeEffect.Hear;
import dev.berth.controller.nodelife.NodeEffect.SetTaints;
import dev.berth.controller.nodelife.NodeEffect.Unready;
import dev.berth.kube.api.Revision;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Lease;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.Node.Taint;
import dev.berth.kube.model.Pod;
import dev.berth.kube.name.LeaseNames;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.volume.Indexes;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Decides what is to be said of a node, and which taints it is to have (PGC-02, AD-56).
record NodeKeeper(NodeLife.Options options)
    implements Decider<String, NodeKeeper.View, NodeEffect> {
  record View(Snapshot objects, Heard heard, Instant now) {
    Optional<Lease> lease(String node) {
      return objects.get(Kinds.LEASE, LeaseNames.node(node)).found();
    }
  }

  @Override
  public String name() {
    return "node-lifecycle";
  }

  @Override
  public List<Trigger<?, String>> triggers() {
    return List.of(
        Trigger.on(Kinds.NODE, NodeKeeper::byNode),
        Trigger.on(
            Kinds.LEASE,
            (change, _) ->
                Stream.of(change.latest().meta())
                    .filter(lease -> lease.namespace().equals(LeaseNames.NODES))
                    .map(lease -> lease.name())),
        Trigger.on(Kinds.POD, NodeKeeper::byPod),
        Trigger.none(Heard.TOPIC));
  }

  /// How many may be emptied depends on how many are ready.
  private static Stream<String> byNode(Change<Node> change, Snapshot objects) {
    boolean turns = !change.before().map(Node::ready).equals(change.after().map(Node::ready));
    return Stream.concat(
            Stream.of(change.latest()),
            turns ? Disruption.troubled(objects).stream() : Stream.empty())
        .map(node -> node.meta().name())
        .distinct();
  }

  /// One that may have to be said not to be ready.
  private static Stream<String> byPod(Change<Pod> change, Snapshot objects) {
    return change
        .after()
        .filter(pod -> !pod.nodeName().isEmpty() && pod.ready())
        .map(Pod::nodeName)
        .filter(node -> objects.get(Kinds.NODE, ObjectKey.cluster(node)).found().isPresent())
        .stream();
  }

  @Override
  public View view(Facts facts, Instant now) {
    return new View(facts, facts.of(Heard.TOPIC), now);
  }

  @Override
  public Step decide(View view, String name) {
    return switch (view.objects.get(Kinds.NODE, ObjectKey.cluster(name))) {
      case Missing<Node>(var ref) ->
          view.heard.of(name).isPresent() ? new Act(new Forget(ref)) : new Settled();
      case Found<Node>(var node) -> {
        var beat = view.heard.of(name);
        var sign = Heard.sign(node, view.lease(name));
        yield beat.filter(it -> it.sign().equals(sign)).isPresent()
            ? heard(view, node, beat.get().at())
            : new Act(
                new Hear(
                    node.ref(),
                    new Heard.Beat(sign, firstHeard(view, node, beat.isEmpty())),
                    beat.isEmpty()));
      }
    };
  }

  /// One of which there is no sign at all has had its grace since it was made.
  private static Instant firstHeard(View view, Node node, boolean first) {
    boolean silent =
        node.condition(Conditions.READY).isEmpty()
            && view.lease(node.meta().name()).flatMap(Lease::renewed).isEmpty();
    return first && silent ? node.meta().created() : view.now;
  }

  private Step heard(View view, Node node, Instant last) {
    boolean started = node.condition(Conditions.READY).isPresent();
    var until = last.plus(started ? options.grace() : options.startUp());
    boolean silent = !view.now.isBefore(until);
    if (silent) {
      var doubted = Conditions.doubted(node, view.now);
      if (doubted.isPresent())
        return new Act(
            new Doubt(
                Revision.of(node.meta()),
                doubted.get(),
                node.ready(),
                view.lease(node.meta().name()).flatMap(Lease::renewed),
                new Heard.Beat(Heard.sign(node, view.lease(node.meta().name())), view.now)));
      var ready = firstReadyPod(view, node);
      if (ready.isPresent()) return new Act(new Unready(ready.get().ref(), view.now));
    }
    return taint(view, node, silent ? Optional.empty() : Optional.of(until));
  }

  private static Optional<Pod> firstReadyPod(View view, Node node) {
    return view.objects.by(Indexes.PODS_BY_NODE, node.meta().name()).stream()
        .filter(Pod::ready)
        .findFirst();
  }

  /// @param again when to look again in any case
  private Step taint(View view, Node node, Optional<Instant> again) {
    var disruption = new Disruption(view.objects, options.limits());
    var emptying = disruption.isTotal() ? Optional.<Taint>empty() : Taints.emptying(node);
    boolean begins = emptying.isPresent() && node.taints().stream().noneMatch(Taints::isEmptying);
    var from = begins ? disruption.mayEmpty(node) : Optional.of(view.now);
    boolean may = from.filter(it -> !view.now.isBefore(it)).isPresent();
    var wanted = Taints.wanted(node, may ? emptying : Optional.empty(), view.now);
    if (!wanted.equals(node.taints()))
      return new Act(new SetTaints(Revision.of(node.meta()), wanted));
    return Stream.concat(again.stream(), may ? Stream.empty() : from.stream())
        .min(Instant::compareTo)
        .map(new Settled()::lookAgainAt)
        .orElseGet(Settled::new);
  }

  @Override
  public Class<NodeEffect> effectType() {
    return NodeEffect.class;
  }

  /// It makes nobody wait: who depends on a node says that it is silent.
  @Override
  public Stream<String> about(Ref subject, Snapshot objects) {
    return Stream.empty();
  }
}
