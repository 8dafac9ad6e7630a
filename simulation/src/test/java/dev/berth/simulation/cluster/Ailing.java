package dev.berth.simulation.cluster;

import java.time.Duration;
import java.util.List;

/// Volumes that fall ill and get well again.
public final class Ailing {
  private static final Duration PATIENCE = Duration.ofSeconds(6);
  private static final List<String> ILLS =
      List.of("Degraded/SlowDrive", "Inaccessible/NoPath", "DataLoss/BadSectors");

  private final Cluster cluster;
  private boolean ailing;

  public Ailing(Cluster cluster) {
    this.cluster = cluster;
  }

  public void begin() {
    ailing = true;
    later();
  }

  public void end() {
    ailing = false;
  }

  private void later() {
    cluster.time().after(cluster.time().upTo(PATIENCE), this::act);
  }

  private void act() {
    if (!ailing) return;
    var random = cluster.time().random();
    var disks = List.copyOf(cluster.driver().backend().disks());
    if (!disks.isEmpty()) {
      var id = disks.get(random.nextInt(disks.size())).id();
      var ills = cluster.driver().backend().ills();
      var has = ills.of(id).stream().sorted().toList();
      if (has.isEmpty() || random.nextInt(3) == 0)
        ills.fall(id, ILLS.get(random.nextInt(ILLS.size())));
      else ills.heal(id, has.get(random.nextInt(has.size())));
    }
    later();
  }
}
