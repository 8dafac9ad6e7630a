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
    var pool = pools.find(volume.id()).orElseThrow(() -> Refusal.noSuchVolume(volume.id())).pool();
    try (var _ = pool.holds().limits(volume.id())) {
      modify(pool, volume.id(), parameters);
    }
  }

  private void modify(Pool pool, String volumeId, Map<String, String> parameters) {
    var volumes = pool.volumes();
    var before = volumes.find(volumeId).orElseThrow(() -> Refusal.noSuchVolume(volumeId));
    var properties = new HashMap<>(before.mutable());
    properties.putAll(parameters);
    var limits = Limits.of(properties);
    LimitKeepers.check(pool, volumeId, limits);
    volumes.change(volumeId, it -> it.withMutable(properties)); // it may just be growing
    try {
      throttling.apply(pool, volumeId, limits);
    } catch (Refusal refused) {
      volumes.change(volumeId, it -> it.withMutable(before.mutable()));
      throw refused;
    }
  }
}
