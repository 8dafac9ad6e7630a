package dev.berth.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.simulation.cluster.Ailing;
import dev.berth.simulation.cluster.Chaos;
import dev.berth.simulation.cluster.Cluster;
import dev.berth.simulation.cluster.Crowd;
import dev.berth.simulation.cluster.Fate;
import dev.berth.simulation.cluster.Growers;
import dev.berth.simulation.cluster.Outages;
import dev.berth.simulation.cluster.Photographers;
import dev.berth.simulation.cluster.Rivals;
import dev.berth.simulation.cluster.SetKeepers;
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

  /// From this seed on all pods are those of StatefulSets.
  static final long SETS = 400_000;

  /// From this seed on machines fail, too.
  static final long DEATHS = 300_000;

  /// From this seed on volumes fall ill.
  static final long HEALTH = 500_000;

  /// From this seed on there is nothing but pods that fight for places, and the weather is good.
  static final long CROWDS = 600_000;

  @Override
  public void accept(long seed) {
    lived(seed);
  }

  /// The cluster of this seed, when all of it is over.
  static Cluster lived(long seed) {
    if (seed > CROWDS) return livedInACrowd(seed);
    var ability = ability(seed);
    if (ability == Ability.SETS) return livedWithSets(seed);
    var fate = seed > DEATHS && seed < SETS ? Fate.MORTAL : Fate.IMMORTAL;
    var cluster = new Cluster(seed, ability, fate);
    var outages = new Outages(cluster);
    var growers = new Growers(cluster);
    var photographers = new Photographers(cluster);
    var users = new Users(cluster);
    var crowd = new Crowd(cluster);
    var ailing = new Ailing(cluster);
    var chaos = new Chaos(cluster);
    chaos.begin();
    users.work();
    crowd.begin();
    if (ability == Ability.GROWTH) growers.begin();
    if (ability == Ability.SNAPSHOTS) photographers.work();
    if (ability.tellsHealth()) ailing.begin();
    if (fate == Fate.MORTAL) outages.begin();
    cluster.pass(fate == Fate.MORTAL ? Duration.ofMinutes(8) : Duration.ofMinutes(2));
    outages.end();
    photographers.pause();
    users.pause();
    crowd.end();
    growers.end();
    ailing.end();
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

  private static Cluster livedWithSets(long seed) {
    var cluster = new Cluster(seed, Ability.SETS);
    var keepers = new SetKeepers(cluster);
    var chaos = new Chaos(cluster);
    chaos.begin();
    keepers.work();
    cluster.pass(Duration.ofMinutes(3));
    keepers.pause();
    cluster.pass(Duration.ofSeconds(20));
    chaos.end();
    cluster.rest();
    chaos.begin();
    keepers.leave();
    cluster.pass(Duration.ofMinutes(1));
    chaos.end();
    cluster.rest();
    assertThat(cluster.driver().backend().disks()).as("volumes that nobody deleted").isEmpty();
    return cluster;
  }

  private static Cluster livedInACrowd(long seed) {
    var cluster = new Cluster(seed, Ability.CROWDS);
    var rivals = new Rivals(cluster);
    rivals.begin();
    cluster.pass(Duration.ofMinutes(2));
    rivals.end();
    cluster.rest();
    assertThat(cluster.driver().backend().disks()).as("volumes that nobody deleted").isEmpty();
    return cluster;
  }

  private static Ability ability(long seed) {
    if (seed > HEALTH)
      return switch ((int) (seed % 3)) {
        case 0 -> Ability.HEALTH;
        case 1 -> Ability.HEALTH_LISTED;
        default -> Ability.HEALTH_ASKED;
      };
    if (seed > SETS) return Ability.SETS;
    if (seed > DEATHS) return Ability.NONE;
    if (seed > SNAPSHOTS) return Ability.SNAPSHOTS;
    return seed > GROWTH ? Ability.GROWTH : Ability.NONE;
  }
}
