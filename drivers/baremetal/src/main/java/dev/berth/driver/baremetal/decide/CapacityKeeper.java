package dev.berth.driver.baremetal.decide;

import dev.berth.driver.baremetal.decide.CapacityEffect.Offer;
import dev.berth.driver.baremetal.decide.CapacityEffect.Resize;
import dev.berth.driver.baremetal.decide.CapacityEffect.Withdraw;
import dev.berth.driver.baremetal.object.AvailableCapacity;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Tells what is free on each drive of a node as an `AvailableCapacity` (BM-12, BM-80), on each
/// change of the drive (BM-84). It is for those who read it: a claim asks the drive.
///
/// @param nodeId only drives of this node
public record CapacityKeeper(String nodeId) implements Decider<ObjectKey, Facts, CapacityEffect> {
  /// BM-85: so little is not worth an object.
  private static final long SMALLEST = 1 << 20;

  @Override
  public String name() {
    return "capacity-keeper";
  }

  @Override
  public List<Trigger<?, ObjectKey>> triggers() {
    return List.of(
        Trigger.on(BareMetalKinds.DRIVE, (change, _) -> Stream.of(change.latest().meta().key())),
        Trigger.on(
            BareMetalKinds.CAPACITY, (change, _) -> Stream.of(change.latest().meta().key())));
  }

  @Override
  public Facts view(Facts facts, Instant now) {
    return facts;
  }

  @Override
  public Step decide(Facts facts, ObjectKey key) {
    var capacity = facts.get(BareMetalKinds.CAPACITY, key).found();
    return switch (facts.get(BareMetalKinds.DRIVE, key)) {
      case Missing<Drive> _ ->
          capacity
              .filter(it -> it.nodeId().equals(nodeId) && !it.meta().deleting())
              .<Step>map(it -> new Act(new Withdraw(it)))
              .orElse(new Settled());
      case Found<Drive>(var drive) when !drive.nodeId().equals(nodeId) -> new Settled(); // BM-24
      case Found<Drive>(var drive) -> told(drive, capacity);
    };
  }

  /// BM-80, BM-82, BM-85: computed anew from the drive as it stands.
  private static Step told(Drive drive, Optional<AvailableCapacity> capacity) {
    boolean shared = drive.sharing().any();
    long size = drive.free() ? drive.size() : shared ? drive.freeRoom() : 0;
    var type = drive.type().name() + (shared ? "SHARED" : "");
    if (capacity.isEmpty())
      return size > SMALLEST ? new Act(new Offer(drive, type, size)) : new Settled();
    var there = capacity.get();
    if (there.size() == size && there.storageClass().equals(type)) return new Settled();
    return new Act(new Resize(there, type, size));
  }

  @Override
  public Class<CapacityEffect> effectType() {
    return CapacityEffect.class;
  }

  @Override
  public Stream<ObjectKey> about(Ref subject, Snapshot objects) {
    return Stream.concat(subject.as(BareMetalKinds.CAPACITY), subject.as(BareMetalKinds.DRIVE));
  }
}
