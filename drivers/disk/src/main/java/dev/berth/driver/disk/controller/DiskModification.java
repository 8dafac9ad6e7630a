package dev.berth.driver.disk.controller;

import dev.berth.driver.disk.pool.Limits;
import dev.berth.driver.disk.pool.Pool;
import dev.berth.driver.disk.pool.Pools;
import dev.berth.driver.disk.pool.Throttling;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.Secrets;
import dev.berth.driver.model.Volume;
import dev.berth.driver.spi.Modification;
import java.util.HashMap;
import java.util.Map;

/// Changes how fast volumes may be used.
public final class DiskModification implements Modification {
  private final Pools pools;
  private final Throttling throttling;

  public DiskModification(Pools pools, Throttling throttling) {
    this.pools = pools;
    this.throttling = throttling;
  }

  @Override
  public void check(Map<String, String> parameters) {
    Limits.of(parameters);
  }

  /// The record first: it is what the node applies when it stages the volume next. Who is refused
  /// finds it as it was.
  @Override
  public void modify(Volume volume, Map<String, String> parameters, Secrets secrets) {
    pools.all().forEach(Pool::control);
    var found = pools.find(volume.id()).orElseThrow(() -> Refusal.noSuchVolume(volume.id()));
    var before = found.record();
    var properties = new HashMap<>(before.mutable());
    properties.putAll(parameters);
    var limits = Limits.of(properties);
    LimitKeepers.check(found.pool(), volume.id(), limits);
    var volumes = found.pool().volumes();
    if (!properties.equals(before.mutable())) volumes.put(before.withMutable(properties));
    try {
      throttling.apply(found.pool(), volume.id(), limits);
    } catch (Refusal refused) {
      volumes.put(before);
      throw refused;
    }
  }
}
