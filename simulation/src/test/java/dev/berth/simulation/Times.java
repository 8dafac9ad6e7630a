package dev.berth.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.simulation.cluster.Chaos;
import dev.berth.simulation.cluster.Cluster;
import dev.berth.simulation.cluster.Crowd;
import dev.berth.simulation.cluster.Growers;
import dev.berth.simulation.cluster.Photographers;
import dev.berth.simulation.cluster.Users;
import dev.berth.simulation.driver.SimulatedDriver.Ability;
import java.time.Duration;
import java.util.function.LongConsumer;

/// Good and bad times of one cluster, which follow from the seed. Whoever loads the classes of this
/// project a second time knows it as what it implements.
public final class Times implements LongConsumer {
  /// From this seed on claims grow, too; the ways of the others stay what they were.
  static final long GROWTH = 100_000;

  /// From this seed on snapshots are taken instead.
  static final long SNAPSHOTS = 200_000;

  @Override
  public void accept(long seed) {
    lived(seed);
  }

  /// The cluster of this seed, when all of it is over.
  static Cluster lived(long seed) {
    var ability = ability(seed);
    var cluster = new Cluster(seed, ability);
    var growers = new Growers(cluster);
    var photographers = new Photographers(cluster);
    var users = new Users(cluster);
    var crowd = new Crowd(cluster);
    var chaos = new Chaos(cluster);
    chaos.begin();
    users.work();
    crowd.begin();
    if (ability == Ability.GROWTH) growers.begin();
    if (ability == Ability.SNAPSHOTS) photographers.work();
    cluster.pass(Duration.ofMinutes(2));
    photographers.pause();
    users.pause();
    crowd.end();
    growers.end();
    cluster.pass(Duration.ofSeconds(20));
    chaos.end();
    cluster.rest();
    chaos.begin();
    photographers.leave();
    users.leave();
    cluster.pass(Duration.ofMinutes(1));
    chaos.end();
    cluster.rest();
    assertThat(cluster.driver().backend().disks()).as("volumes that nobody deleted").isEmpty();
    return cluster;
  }

  private static Ability ability(long seed) {
    if (seed > SNAPSHOTS) return Ability.SNAPSHOTS;
    return seed > GROWTH ? Ability.GROWTH : Ability.NONE;
  }
}
