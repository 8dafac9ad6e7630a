package dev.berth.simulation.driver;

import dev.berth.csi.client.ControllerCalls;
import dev.berth.csi.client.GroupControllerCalls;
import dev.berth.csi.client.IdentityCalls;
import dev.berth.csi.client.NodeCalls;
import dev.berth.simulation.time.SimulatedProcess;
import dev.berth.simulation.time.VirtualTime;
import java.util.Optional;
import java.util.function.Function;

/// The driver as processes see it. There is no plugin process: its calls are answered by the back
/// end, whatever else lives or dies.
public final class SimulatedDriver {
  public static final String NAME = "sim.berth.dev";

  /// Topology key; its value is the node's name.
  public static final String TOPOLOGY = NAME + "/node";

  private final VirtualTime time;
  private final Reach reach;
  private final Ability ability;
  private final Backend backend;
  private Flaws flaws = Flaws.NONE;

  /// From where a volume can be reached.
  public enum Reach {
    /// From every node.
    NETWORK,
    /// From the node that it was made on.
    LOCAL
  }

  /// What it can do beside making volumes.
  public enum Ability {
    NONE,
    /// Its volumes can be made larger.
    GROWTH,
    /// It takes snapshots, alone and in groups.
    SNAPSHOTS,
    /// It lists volumes that are ill, and can be asked for each.
    HEALTH,
    /// It lists them, and that is all.
    HEALTH_LISTED,
    /// It can be asked for each, and that is all.
    HEALTH_ASKED,
    /// Nothing more; but StatefulSets use it instead of pods that people make.
    SETS,
    /// Nothing more; but pods fight for its places, and threads that give them stand still for
    /// long.
    CROWDS;

    /// Whether it tells how volumes are.
    public boolean tellsHealth() {
      return this == HEALTH || this == HEALTH_LISTED || this == HEALTH_ASKED;
    }
  }

  /// A driver without volumes.
  ///
  /// @param objection why a demand would hurt somebody's data; empty: it would not
  public SimulatedDriver(
      VirtualTime time,
      Reach reach,
      Ability ability,
      Function<Demand, Optional<String>> objection) {
    this.time = time;
    this.reach = reach;
    this.ability = ability;
    this.backend = new Backend(objection);
  }

  public Backend backend() {
    return backend;
  }

  public Ability ability() {
    return ability;
  }

  public Reach reach() {
    return reach;
  }

  /// From now on it misbehaves like this.
  public void misbehave(Flaws how) {
    flaws = how;
  }

  public IdentityCalls identity() {
    return new IdentityDoor(reach, ability);
  }

  public ControllerCalls controller(SimulatedProcess caller) {
    return new ControllerDoor(backend, reach, ability, door(caller));
  }

  public GroupControllerCalls groups(SimulatedProcess caller) {
    return new GroupDoor(backend.shots(), door(caller));
  }

  /// The driver's node service.
  ///
  /// @param node that it runs on
  public NodeCalls node(SimulatedProcess caller, String node) {
    return new NodeDoor(backend, reach, ability, node, backend.boots(node), door(caller));
  }

  private Door door(SimulatedProcess caller) {
    return new Door(backend, time, caller, () -> flaws);
  }
}
