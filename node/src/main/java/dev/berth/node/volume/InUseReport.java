package dev.berth.node.volume;

import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.PodVolume.Source;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import dev.berth.node.driver.Drivers;
import dev.berth.node.volume.need.Needs;
import dev.berth.node.volume.state.Actual;
import dev.berth.node.volume.state.DrainOrder;
import dev.berth.node.volume.state.Lost;
import dev.berth.volume.Translation;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Tells the attach/detach controller which volumes may be mounted here: `volumesInUse` in the
/// node's status, written at once when it changes (NVM-12, NVM-14). Its only key is the node's
/// name: the list is one, so two volumes cannot overwrite each other's report.
///
/// The first report already has what earlier agents left mounted, for the state is made of the disk
/// before anything runs, and it stays in the report until it is unstaged: the controller detaches
/// nothing that lives (NREC-05, NDWN-02).
public final class InUseReport implements Decider<String, MountView, InUseReport.Report> {
  private final String node;

  public InUseReport(String node) {
    this.node = node;
  }

  /// Writes the report: `wanted`, and whatever else may be mounted by then.
  ///
  /// @param neverAttached drivers whose volumes are not reported
  /// @param names what the report comes to as things are
  public record Report(Set<VolumeName> wanted, Set<String> neverAttached, Set<VolumeName> names)
      implements Effect {
    public Report {
      wanted = Set.copyOf(wanted);
      neverAttached = Set.copyOf(neverAttached);
      names = Set.copyOf(names);
    }
  }

  @Override
  public String name() {
    return "volumes-in-use";
  }

  @Override
  public List<Trigger<?, String>> triggers() {
    return List.of(
        Trigger.on(Kinds.POD, (change, _) -> keyIf(change.latest().nodeName().equals(node))),
        Trigger.on(
            Kinds.CLAIM,
            (change, objects) ->
                keyIf(new Needs(objects).isUsed(change.latest().meta().key(), node))),
        Trigger.on(
            Kinds.VOLUME,
            (change, objects) ->
                keyIf(
                    change
                        .latest()
                        .claim()
                        .filter(claim -> new Needs(objects).isUsed(claim.key(), node))
                        .isPresent())),
        Trigger.on(Kinds.NODE, (change, _) -> keyIf(concerns(change))),
        Trigger.on(Kinds.CSI_DRIVER, (_, _) -> Stream.of(node)),
        Trigger.on(Actual.TOPIC, (_, _) -> Stream.of(node)),
        Trigger.on(DrainOrder.TOPIC, (_, _) -> Stream.of(node)),
        Trigger.none(Drivers.TOPIC));
  }

  @Override
  public MountView view(Facts facts, Instant now) {
    return MountView.of(facts, now, node);
  }

  @Override
  public Step decide(MountView view, String key) {
    return switch (view.node()) {
      case Missing<Node>(var ref) -> MountWaits.untilNodeExists(ref);
      case Found(var own) -> {
        var never = view.neverAttached();
        var wanted =
            view.wantedByClaims().stream()
                .filter(name -> !never.contains(name.driver()))
                .collect(Collectors.toCollection(LinkedHashSet::new));
        // What is lost has been reported before it came here.
        own.volumesInUse().stream()
            .flatMap(text -> VolumeName.parse(text).stream())
            .filter(name -> mayBeLost(view, name))
            .forEach(wanted::add);
        var names = view.actual().report(wanted, name -> !never.contains(name.driver()));
        var texts = names.stream().map(VolumeName::toString).collect(Collectors.toSet());
        yield own.volumesInUse().equals(texts)
                && view.actual().reported().equals(Optional.of(names))
            ? new Settled()
            : new Act(new Report(wanted, never, names));
      }
    };
  }

  private static boolean mayBeLost(MountView view, VolumeName name) {
    return view.actual().lost().stream()
        .anyMatch(mount ->
            switch (mount) {
              case Lost.Staged staged -> staged.isOf(name);
              case Lost.Device(var spec, _) -> mayBe(view, spec, name);
              case Lost.Published(var uid, var spec) ->
                  !isOwn(view, uid, spec) && mayBe(view, spec, name);
            });
  }

  /// A pod's own volume is never reported.
  private static boolean isOwn(MountView view, String uid, String spec) {
    return view.pod(uid).stream()
        .flatMap(pod -> pod.volumes().stream())
        .anyMatch(each -> each.name().equals(spec) && each.source() instanceof Source.InlineCsi);
  }

  /// While the PersistentVolume is not known it may be any.
  private static boolean mayBe(MountView view, String spec, VolumeName name) {
    return view.objects()
        .get(Kinds.VOLUME, ObjectKey.cluster(spec))
        .found()
        .flatMap(Translation.NONE::name)
        .map(name::equals)
        .orElse(true);
  }

  @Override
  public Class<Report> effectType() {
    return Report.class;
  }

  @Override
  public Stream<String> about(Ref subject, Snapshot objects) {
    return keyIf(
        subject.resource().equals(Resources.NODES)
            && subject.key().equals(ObjectKey.cluster(node)));
  }

  /// A new node has no report; heartbeats change nothing.
  private boolean concerns(Change<Node> change) {
    return change.latest().meta().name().equals(node)
        && !change.before().map(Node::volumesInUse).equals(change.after().map(Node::volumesInUse));
  }

  private Stream<String> keyIf(boolean concerned) {
    return concerned ? Stream.of(node) : Stream.empty();
  }
}
