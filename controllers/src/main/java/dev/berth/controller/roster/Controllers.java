package dev.berth.controller.roster;

import dev.berth.controller.Means;
import dev.berth.controller.attachdetach.AttachDetach;
import dev.berth.controller.binder.Binder;
import dev.berth.controller.cronjob.CronJobs;
import dev.berth.controller.daemonset.DaemonSets;
import dev.berth.controller.deployment.Deployments;
import dev.berth.controller.disruption.Disruptions;
import dev.berth.controller.endpoint.ServiceEndpoints;
import dev.berth.controller.ephemeral.EphemeralVolumes;
import dev.berth.controller.eviction.TaintEviction;
import dev.berth.controller.expansion.Expansion;
import dev.berth.controller.job.Jobs;
import dev.berth.controller.nodelife.NodeLife;
import dev.berth.controller.podgc.PodGarbage;
import dev.berth.controller.protection.Protection;
import dev.berth.controller.replicaset.ReplicaSets;
import dev.berth.controller.scheduler.Scheduler;
import dev.berth.controller.snapshot.Snapshots;
import dev.berth.controller.snapshot.group.GroupSnapshots;
import dev.berth.controller.statefulset.StatefulSets;
import dev.berth.controller.workload.Workload;
import dev.berth.kube.cache.Scope;
import dev.berth.kube.fact.Sources;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.name.LeaseNames;
import dev.berth.kube.object.Kind;
import dev.berth.kube.snapshot.SnapshotKinds;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/// What kube-controller-manager and kube-scheduler do for storage and for who drains nodes, and
/// what the snapshot controller does: every decider of theirs, in the order of a volume's life. Who
/// acts runs all of them, who explains asks all of them. Those that keep pods come first.
///
/// @param entries the deciders
/// @param sources what tells them of facts that are no objects
public record Controllers(List<Entry> entries, Sources sources) {
  /// A decider, and of which controller it is a part.
  public record Entry(Member member, Concern<Means, ?, ?, ?> concern) {}

  /// What is read of storage and of who uses it, snapshots apart.
  public static final List<Kind<?>> STORAGE =
      List.of(
          Kinds.CLAIM,
          Kinds.VOLUME,
          Kinds.STORAGE_CLASS,
          Kinds.ATTACHMENT,
          Kinds.POD,
          Kinds.NODE,
          Kinds.CSI_NODE,
          Kinds.CSI_DRIVER,
          Kinds.STORAGE_CAPACITY,
          Kinds.ATTRIBUTES_CLASS);

  /// All kinds that some decider reads, the sidecars' too.
  public static final List<Kind<?>> KINDS =
      Stream.of(
              STORAGE,
              List.of(Kinds.LEASE),
              Disruptions.KINDS,
              Workload.KINDS,
              SnapshotKinds.ALL,
              ServiceEndpoints.KINDS)
          .<Kind<?>>flatMap(List::stream)
          .distinct()
          .toList();

  /// Which objects of `kinds` caches have to hold: of Leases those of nodes.
  public static List<Scope<?>> scopes(Collection<? extends Kind<?>> kinds) {
    return kinds.stream()
        .<Scope<?>>map(kind ->
            kind.equals(Kinds.LEASE) ? Scope.of(Kinds.LEASE, LeaseNames.NODES) : Scope.all(kind))
        .toList();
  }

  /// What can be chosen.
  public record Options(
      Binder.Options binder,
      Scheduler.Options scheduler,
      AttachDetach.Options attachDetach,
      Snapshots.Options snapshots,
      PodGarbage.Options garbage,
      NodeLife.Options nodes) {
    public static final Options DEFAULT =
        new Options(
            Binder.Options.DEFAULT,
            Scheduler.Options.DEFAULT,
            AttachDetach.Options.DEFAULT,
            Snapshots.Options.DEFAULT,
            PodGarbage.Options.DEFAULT,
            NodeLife.Options.DEFAULT);

    /// For who asks what the controllers of any cluster would do.
    public static final Options EXPLAINING =
        new Options(
            DEFAULT.binder,
            Scheduler.Options.EXPLAINING,
            DEFAULT.attachDetach,
            DEFAULT.snapshots,
            DEFAULT.garbage,
            DEFAULT.nodes);
  }

  public Controllers {
    entries = List.copyOf(entries);
  }

  /// All deciders.
  public List<Concern<Means, ?, ?, ?>> concerns() {
    return entries.stream().<Concern<Means, ?, ?, ?>>map(Entry::concern).toList();
  }

  /// For one process; each has its own.
  public static Controllers of(Options options) {
    var scheduler = new Scheduler(options.scheduler());
    var garbage = new PodGarbage(options.garbage());
    var eviction = new TaintEviction();
    var life = new NodeLife(options.nodes());
    return new Controllers(
        List.of(
            new Entry(Member.CRON_JOBS, CronJobs.jobs()),
            new Entry(Member.JOBS, Jobs.jobs()),
            new Entry(Member.JOBS, Jobs.left()),
            new Entry(Member.DAEMON_SETS, DaemonSets.sets()),
            new Entry(Member.DEPLOYMENTS, Deployments.deployments()),
            new Entry(Member.REPLICA_SETS, ReplicaSets.sets()),
            new Entry(Member.STATEFUL_SETS, StatefulSets.sets()),
            new Entry(Member.EPHEMERAL_VOLUMES, EphemeralVolumes.claims()),
            new Entry(Member.SCHEDULER, scheduler.pods()),
            new Entry(Member.BINDER, Binder.claims(options.binder())),
            new Entry(Member.BINDER, Binder.volumes()),
            new Entry(Member.ATTACH_DETACH, AttachDetach.pods(options.attachDetach())),
            new Entry(Member.ATTACH_DETACH, AttachDetach.volumes(options.attachDetach())),
            new Entry(Member.ATTACH_DETACH, AttachDetach.orphans(options.attachDetach())),
            new Entry(Member.EXPANSION, Expansion.claims()),
            new Entry(Member.CLAIM_PROTECTION, Protection.claims()),
            new Entry(Member.VOLUME_PROTECTION, Protection.volumes()),
            new Entry(Member.ATTRIBUTES_CLASS_PROTECTION, Protection.attributesClasses()),
            new Entry(Member.SNAPSHOTS, Snapshots.snapshots(options.snapshots())),
            new Entry(Member.SNAPSHOTS, Snapshots.contents()),
            new Entry(Member.SNAPSHOTS, Snapshots.claims(options.snapshots())),
            new Entry(Member.SNAPSHOTS, GroupSnapshots.groups()),
            new Entry(Member.SNAPSHOTS, GroupSnapshots.contents()),
            new Entry(Member.DISRUPTION, Disruptions.budgets()),
            new Entry(Member.NODE_LIFECYCLE, life.nodes()),
            new Entry(Member.TAINT_EVICTION, eviction.pods()),
            new Entry(Member.POD_GARBAGE_COLLECTOR, garbage.pods()),
            new Entry(Member.POD_GARBAGE_COLLECTOR, garbage.ended()),
            new Entry(Member.ENDPOINT_SLICES, ServiceEndpoints.slices()),
            new Entry(Member.ENDPOINTS, ServiceEndpoints.endpoints())),
        Sources.of(scheduler.source(), life.source(), eviction.source(), garbage.source()));
  }
}
