package dev.berth.controller.scheduler;

import dev.berth.kube.model.Pod;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// Nodes in the order in which a pod would have them. Thousands that are alike are not ranked to
/// find one of them: they come in the order that the caches keep, a window of them at a time.
final class Candidates implements Iterator<Host> {
  /// Pods that are placed at the same moment, and do not see one another, spread evenly over as
  /// many equal nodes; and these windows lie anywhere among the others.
  private static final int WINDOW = 16;

  private final Pod pod;
  private final PreferredNodes preferred;
  private final Iterator<Host> sorted;
  private final PriorityQueue<Rank> window = new PriorityQueue<>(Rank.ORDER);
  private final PriorityQueue<Rank> others = new PriorityQueue<>(Rank.ORDER);

  /// What a node has for and against it.
  ///
  /// @param disliked how many of its taints the pod would rather not have
  /// @param preferred how much the pod would rather be there
  /// @param affinity see [#affinity]
  private record Rank(Host host, long disliked, long preferred, int affinity) {
    /// The best comes first.
    static final Comparator<Rank> ORDER =
        Comparator.comparingLong(Rank::disliked)
            .thenComparing(Rank::preferred, Comparator.reverseOrder())
            .thenComparingInt(rank -> rank.host.pods())
            .thenComparingInt(Rank::affinity)
            .thenComparing(rank -> rank.host.name());
  }

  /// @param sorted none that the pod dislikes, those with few pods first
  private Candidates(Pod pod, Iterator<Host> sorted, Stream<Host> others) {
    this.pod = pod;
    this.preferred = PreferredNodes.of(pod);
    this.sorted = sorted;
    others.forEach(host -> this.others.add(rank(host)));
  }

  /// These nodes.
  static Stream<Host> among(Stream<Host> hosts, Pod pod) {
    return stream(new Candidates(pod, Collections.emptyIterator(), hosts));
  }

  /// All nodes; lazily, unless the pod would rather be on some of them.
  static Stream<Host> all(View view, Pod pod) {
    if (PreferredNodes.of(pod).any()) return among(view.hosts(), pod);
    return stream(new Candidates(pod, view.byLoad(pod).iterator(), view.exceptions()));
  }

  private static Stream<Host> stream(Iterator<Host> hosts) {
    return StreamSupport.stream(
        Spliterators.spliteratorUnknownSize(hosts, Spliterator.ORDERED), false);
  }

  @Override
  public boolean hasNext() {
    return sorted.hasNext() || !window.isEmpty() || !others.isEmpty();
  }

  @Override
  public Host next() {
    if (window.isEmpty())
      while (window.size() < WINDOW && sorted.hasNext()) window.add(rank(sorted.next()));
    if (window.isEmpty() && others.isEmpty()) throw new NoSuchElementException();
    return better().remove().host();
  }

  /// The queue that has the better head.
  private PriorityQueue<Rank> better() {
    if (window.isEmpty()) return others;
    if (others.isEmpty()) return window;
    return Rank.ORDER.compare(window.peek(), others.peek()) <= 0 ? window : others;
  }

  private Rank rank(Host host) {
    var node = host.existing();
    return new Rank(
        host, NodeRules.disliked(pod, node), preferred.weight(node), affinity(host.name()));
  }

  /// A number that is always the same for these two.
  private int affinity(String node) {
    int hash = (31 * pod.meta().uid().hashCode() + node.hashCode()) * 0x9E3779B1;
    return hash ^ (hash >>> 15);
  }
}
