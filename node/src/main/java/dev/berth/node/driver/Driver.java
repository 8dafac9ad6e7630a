package dev.berth.node.driver;

import dev.berth.csi.client.CsiException;
import dev.berth.csi.client.NodeCalls;
import dev.berth.csi.v1.NodeGetCapabilitiesRequest;
import dev.berth.csi.v1.NodeServiceCapability.RPC;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A driver as registered: how to reach it and what its node service can do.
public final class Driver {
  private final String name;
  private final NodeCalls calls;
  private final long registration;
  private volatile @Nullable Set<RPC.Type> capabilities;

  Driver(String name, NodeCalls calls, long registration) {
    this.name = name;
    this.calls = calls;
    this.registration = registration;
  }

  public String name() {
    return name;
  }

  public NodeCalls calls() {
    return calls;
  }

  /// Which registration it is, of all on this node: later ones have higher numbers.
  public long registration() {
    return registration;
  }

  /// Whether the node service has a capability; asks the driver once for each registration
  /// (NCSI-01).
  ///
  /// @throws CsiException if the driver had to be asked and did not answer
  public boolean can(RPC.Type capability) {
    var known = capabilities;
    if (known == null) capabilities = known = ask();
    return known.contains(capability);
  }

  private Set<RPC.Type> ask() {
    var types = EnumSet.noneOf(RPC.Type.class);
    calls
        .nodeGetCapabilities(NodeGetCapabilitiesRequest.getDefaultInstance())
        .getCapabilitiesList()
        .forEach(capability -> types.add(capability.getRpc().getType()));
    return types;
  }
}
