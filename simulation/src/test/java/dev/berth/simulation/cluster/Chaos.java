package dev.berth.simulation.cluster;

import java.time.Duration;

/// Whoever kills processes, cuts watches and restarts the server, as long as the storm lasts.
public final class Chaos {
  private static final Duration BETWEEN = Duration.ofSeconds(30);

  private final Cluster cluster;
  private boolean raging;

  public Chaos(Cluster cluster) {
    this.cluster = cluster;
  }

  public void begin() {
    raging = true;
    cluster.weather(Weather.STORM);
    later();
  }

  public void end() {
    raging = false;
    cluster.weather(Weather.CALM);
  }

  private void later() {
    cluster.time().after(cluster.time().upTo(BETWEEN), this::strike);
  }

  private void strike() {
    if (!raging) return;
    switch (cluster.time().random().nextInt(4)) {
      case 0 -> cluster.restartServer();
      case 1 -> cluster.cutWatches();
      default -> cluster.killOne();
    }
    later();
  }
}
