package dev.berth.kube.fact;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.object.Kind;
import java.util.Set;

/// Everything that a view can be made from: the objects at one moment, and what the sources tell.
public interface Facts extends Snapshot {
  /// What is known of a topic.
  <S> S of(Topic<S> topic);

  /// Objects alone: of every topic what is known where nobody tells.
  static Facts of(Snapshot objects) {
    return of(objects, Sources.NONE);
  }

  /// The objects, and what the sources tell now.
  static Facts of(Snapshot objects, Sources sources) {
    return new JoinedFacts(objects, sources.now(sources.topics()));
  }

  /// As above, of which only the kinds and topics that are named can be read: no other source is
  /// asked.
  static Facts of(Snapshot objects, Sources sources, Set<Kind<?>> kinds, Set<Topic<?>> topics) {
    return new JoinedFacts(objects, sources.now(topics)).only(kinds, topics);
  }

  /// These facts, of which only the kinds and topics that are named can be read.
  ///
  /// @return facts that answer any other question with an [IllegalStateException]
  default Facts only(Set<Kind<?>> kinds, Set<Topic<?>> topics) {
    return new DeclaredFacts(this, kinds, topics);
  }
}
