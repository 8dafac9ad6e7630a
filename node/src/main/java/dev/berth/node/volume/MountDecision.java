package dev.berth.node.volume;

import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.AccessMode;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.CsiDriver;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.node.volume.MountEffect.Forget;
import dev.berth.node.volume.MountEffect.Publish;
import dev.berth.node.volume.MountEffect.Republish;
import dev.berth.node.volume.MountEffect.Stage;
import dev.berth.node.volume.MountEffect.Unpublish;
import dev.berth.node.volume.MountEffect.Unstage;
import dev.berth.node.volume.MountEffect.Verify;
import dev.berth.node.volume.need.Want;
import dev.berth.node.volume.state.Form;
import dev.berth.node.volume.state.Staging;
import dev.berth.node.volume.state.VolumeState;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Takes one volume on this node to where the pods want it (spec/node.md, sections 3 and 4).
final class MountDecision {
  /// A kubelet syncs each pod once a minute.
  private static final Duration REPUBLISH = Duration.ofMinutes(1);

  private static final Set<AccessMode> ONE_POD_ONLY = Set.of(AccessMode.READ_WRITE_ONCE_POD);

  /// The first line that applies is the step: unmount before mount (NOPX-01).
  Step decide(MountView view, VolumeName name) {
    var state = view.actual().volume(name);
    var former = view.formerUser(state);
    if (former.isPresent()) return undo(view, name, new Unpublish(name, former.get()));
    var wants = view.wants(name);
    if (!wants.isEmpty()) return mount(view, state, wants);
    if (!state.publications().isEmpty()) return MountWaits.untilContainersEnd(view, state);
    return leave(view, state);
  }

  private Step mount(MountView view, VolumeState state, List<Want> wants) {
    var next = wants.stream().filter(want -> !state.publishedFor(want.podUid())).findFirst();
    if (next.isEmpty()) return keep(view, state, wants);
    var want = next.get();
    var refusal = refusal(view, state, want);
    if (refusal.isPresent()) return refusal.get();
    if (view.attachable(want) && state.attached().isEmpty()) return attach(view, want);
    if (!view.drivers().contains(want.source().driver()))
      return MountWaits.untilRegistered(view, want);
    var driver = view.csiDriver(want.source().driver());
    if (want.form() == Form.INLINE) return new Act(publish(want, driver)); // NCSI-11
    return new Act(
        switch (state.staging()) {
          case Staging.Absent _, Staging.Uncertain _ -> new Stage(want, FsGroup.of(want, driver));
          case Staging.Skipped _, Staging.Present _ -> publish(want, driver);
        });
  }

  private static Publish publish(Want want, Optional<CsiDriver> driver) {
    return new Publish(
        want,
        driver.filter(CsiDriver::podInfoOnMount).isPresent(),
        FsGroup.of(want, driver),
        want.form() == Form.DEVICE
            ? Optional.empty() // NBLK-04
            : driver.flatMap(CsiDriver::tokens)); // NCSI-09
  }

  /// All pods have it. What is due again comes before what may fail for as long as the volume is
  /// here.
  private Step keep(MountView view, VolumeState state, List<Want> wants) {
    var renewal = renew(view, state, wants);
    if (renewal instanceof Act) return renewal;
    return switch (GrowthDecision.of(view, state, wants).orElse(renewal)) {
      case Settled told when renewal instanceof Settled(_, var again) && again.isPresent() ->
          told.lookAgainAt(again.get());
      case Step step -> step;
    };
  }

  /// A driver that asks for it publishes it again for each, as often as a kubelet would ask
  /// (NVM-07, NCSI-10).
  private Step renew(MountView view, VolumeState state, List<Want> wants) {
    var driver = view.csiDriver(wants.getFirst().source().driver());
    boolean device = wants.getFirst().form() == Form.DEVICE;
    if (device || driver.filter(CsiDriver::requiresRepublish).isEmpty()) return new Settled();
    var oldest =
        wants.stream()
            .min(Comparator.comparing(want -> state.publishedAt(want.podUid())))
            .orElseThrow();
    var due = state.publishedAt(oldest.podUid()).plus(REPUBLISH);
    if (view.now().isBefore(due)) return new Settled().lookAgainAt(due);
    var refusal = refusal(view, state, oldest);
    if (refusal.isPresent()) return refusal.get();
    if (!view.drivers().contains(driver.get().meta().name()))
      return MountWaits.untilRegistered(view, oldest);
    return new Act(new Republish(publish(oldest, driver)));
  }

  /// NVM-13, AD-60, line by line: what has to be seen before the driver may hear of the volume.
  private Step attach(MountView view, Want want) {
    var name = want.name();
    return switch (view.node()) {
      case Missing<Node>(var ref) -> MountWaits.untilNodeExists(ref);
      case Found(var node) when !view.actual().reportedInUse(name) ->
          MountWaits.untilReported(node, want);
      case Found(var node) ->
          switch (view.attachment(name)) {
            case Missing<Attachment>(var va) -> MountWaits.untilRequested(va, want);
            case Found(var va) when va.meta().deleting() -> MountWaits.untilDetached(va);
            case Found(var va) when !va.attached() -> MountWaits.untilAttached(va);
            case Found(var va) when !node.volumesAttached().contains(name.toString()) ->
                MountWaits.untilVouchedFor(node, va, name);
            case Found(_) -> new Act(new Verify(name));
          };
    };
  }

  /// What makes the mount impossible for now, whatever the driver would say.
  private static Optional<Step> refusal(MountView view, VolumeState state, Want want) {
    var driver = view.csiDriver(want.source().driver());
    if (driver.isEmpty() && want.form() == Form.INLINE)
      return Optional.of(MountWaits.untilDriverIsDescribed(want)); // NCSI-11
    if (driver.filter(d -> !d.lifecycleModes().contains(want.form().lifecycle())).isPresent())
      return Optional.of(MountWaits.untilModeIsSupported(driver.get(), want)); // NCSI-11
    return want.bound().flatMap(bound -> refusal(view, state, want, bound.volume()));
  }

  private static Optional<Step> refusal(
      MountView view, VolumeState state, Want want, Volume volume) {
    if (view.node() instanceof Found(var node)
        && volume.nodeAffinity().filter(affinity -> !affinity.matches(node)).isPresent())
      return Optional.of(MountWaits.untilNodeFits(node, want)); // NOPX-05
    // NCSI-07
    if (volume.accessModes().equals(ONE_POD_ONLY))
      return state.publications().keySet().stream()
          .filter(uid -> !uid.equals(want.podUid()))
          .findFirst()
          .map(uid -> MountWaits.untilOtherPodEnds(view, uid, want));
    return Optional.empty();
  }

  /// Nobody wants it and no pod has it mounted.
  private Step leave(MountView view, VolumeState state) {
    var name = state.name();
    if (!view.actual().volumes().containsKey(name)) return new Settled();
    var leaving = view.leavingUser(name);
    if (leaving.isPresent()) return MountWaits.untilPodIsGone(leaving.get());
    return switch (state.staging()) {
      case Staging.Absent _, Staging.Skipped _ -> new Act(new Forget(name));
      case Staging.Uncertain _, Staging.Present _ -> undo(view, name, new Unstage(name));
    };
  }

  /// A driver that comes back is seen at once (NREC-10).
  private static Step undo(MountView view, VolumeName name, MountEffect effect) {
    if (view.drivers().contains(name.driver())) return new Act(effect);
    return effect instanceof Unpublish(_, var podUid)
        ? MountWaits.untilRegistered(view, name, podUid)
        : MountWaits.untilRegistered(view, name);
  }
}
