package dev.berth.kube.fact;

/// Tells of one [Topic], as caches tell of kinds: what is known now, and what becomes of it.
public interface Source<S> {
  Topic<S> topic();

  /// What is known now. Takes no lock that is held while somebody works.
  S now();

  /// Tells `follower` of every change from now on, each once and in order, with no lock held. It
  /// may learn of it after [#now] shows it, never before.
  void follow(Follower<S> follower);

  /// Tells `follower` nothing more.
  void unfollow(Follower<S> follower);

  /// Learns of changes: must be quick, must not throw.
  @FunctionalInterface
  interface Follower<S> {
    void changed(News<S> news);
  }

  /// What is known of a topic has changed.
  record News<S>(S before, S after) {}
}
