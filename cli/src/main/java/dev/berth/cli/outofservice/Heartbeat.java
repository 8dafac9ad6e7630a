package dev.berth.cli.outofservice;

import dev.berth.cli.session.News;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Selector;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.name.LeaseNames;
import dev.berth.kube.object.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Whether a node's agent renews its Lease. By what is written there twice, and by no clock: that
/// of whoever asks may be wrong, and the one that wrote it, too.
final class Heartbeat {
  private final Api api;
  private final String node;
  private final Optional<Instant> first;

  Heartbeat(Api api, String node) {
    this.api = api;
    this.node = node;
    this.first = renewed();
  }

  /// At what time it was renewed, as its agent's clock said; empty: never.
  private Optional<Instant> renewed() {
    try {
      return Kinds.LEASE.read().apply(api.get(Resources.LEASES, LeaseNames.node(node))).renewed();
    } catch (ApiException refused) {
      if (refused.isNotFound()) return Optional.empty();
      throw refused;
    }
  }

  /// Whether there was one since this was made.
  boolean heard() {
    var now = renewed();
    return now.isPresent() && !now.equals(first);
  }

  /// Returns when there was one, or when it should have come.
  ///
  /// @param silence for how long to listen
  boolean listen(Duration silence) throws InterruptedException {
    long begun = System.nanoTime();
    try (var news = new News(api)) {
      news.follow(Resources.LEASES, LeaseNames.NODES, Selector.fields("metadata.name=" + node));
      while (true) {
        if (heard()) return true;
        var left = silence.minusNanos(System.nanoTime() - begun);
        if (!left.isPositive()) return false;
        news.await(left);
      }
    }
  }
}
