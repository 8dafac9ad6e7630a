package dev.berth.node.pod;

import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.event.Notice;
import dev.berth.kube.fact.Source;
import dev.berth.kube.loop.Effects;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.model.Pod;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.Resources;
import dev.berth.kube.time.Time;
import dev.berth.node.pod.PodEffect.CleanUp;
import dev.berth.node.pod.PodEffect.Delete;
import dev.berth.node.pod.PodEffect.Kill;
import dev.berth.node.pod.PodEffect.Probe;
import dev.berth.node.pod.PodEffect.Release;
import dev.berth.node.pod.PodEffect.Renew;
import dev.berth.node.pod.PodEffect.Report;
import dev.berth.node.pod.PodEffect.Start;
import dev.berth.node.pod.PodEffect.Stop;
import dev.berth.node.pod.local.Local.Slot;
import dev.berth.node.pod.local.LocalState;
import dev.berth.node.pod.local.Runs;
import dev.berth.node.pod.local.Trouble;
import dev.berth.node.pod.start.Assembly;
import dev.berth.node.pod.start.Limits;
import dev.berth.node.pod.start.MountedVolume;
import dev.berth.node.pod.start.PodFiles;
import dev.berth.node.pod.start.UnusableException;
import dev.berth.node.runtime.ContainerId;
import dev.berth.node.runtime.ContainerRuntime;
import dev.berth.node.runtime.ContainerRuntime.StillRunningException;
import dev.berth.node.runtime.RefusedException;
import dev.berth.node.volume.VolumeFiles;
import dev.berth.node.volume.need.Want;
import dev.berth.node.volume.state.ActualState;
import dev.berth.node.volume.state.DrainOrder;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;

/// Carries out what [PodDecision] asks for.
public final class PodEffects implements Effects<PodEffect> {
  private final Api api;
  private final ContainerRuntime runtime;
  private final VolumeFiles volumes;
  private final PodFiles files;
  private final Assembly assembly;
  private final ActualState actual;
  private final LocalState local;
  private final Source<DrainOrder> drain;
  private final EventRecorder events;
  private final RenewedFiles renewed;
  private final Hooks hooks;
  private final Places places;

  /// @param api whose writes are in the caches before their answer
  public PodEffects(
      Api api,
      Assembly assembly,
      Equipment equipment,
      Findings findings,
      EventRecorder events,
      Time time) {
    this.api = api;
    this.assembly = assembly;
    this.runtime = equipment.runtime();
    this.volumes = equipment.volumes();
    this.files = equipment.pods();
    this.actual = findings.mounted();
    this.local = findings.running();
    this.drain = findings.drain();
    this.events = events;
    this.renewed = new RenewedFiles(assembly, local, events, time);
    this.places = new Places(api, files, volumes, local);
    this.hooks = new Hooks(runtime, local, events, time);
  }

  @Override
  public void carryOut(PodEffect effect) throws Exception {
    switch (effect) {
      case Start start -> start(start);
      case Renew(_, Seen<Pod>(var pod)) -> renewed.renew(pod);
      case Probe probe -> hooks.begin(probe);
      case Stop stop -> stop(stop);
      case Kill kill -> kill(kill);
      case Release(var podUid) -> release(podUid);
      case Report report -> report(report);
      case CleanUp(var podUid) -> cleanUp(podUid);
      case Delete delete -> delete(delete);
    }
  }

  /// Gives up probes and hooks, which go on beside the loop; the loop is stopped apart.
  ///
  /// @return done when none is under way
  public CompletableFuture<Void> stop() {
    return hooks.stop();
  }

  /// From the moment when the pod holds its volumes nobody unmounts them, whatever becomes of its
  /// object meanwhile.
  private void start(Start effect) throws Exception {
    var pod = effect.pod();
    var uid = pod.meta().uid();
    if (!actual.hold(uid, effect.volumes().values().stream().map(Want::name).toList())) return;
    // In this order: either it is seen here, or who drains sees that the pod holds (NSHT-02).
    if (drain.now().given()) return;
    local.change(here -> here.withDirectory(uid));
    files.make(uid);
    if (effect.attempt() == 0) tellLimits(pod);
    var id = run(effect);
    events.tell(
        Notice.normal(
            pod.ref(), Reasons.STARTED, "Started container " + effect.container().name()));
    hooks.afterStart(pod, effect.container(), id);
    forgetBefore(pod, id);
  }

  private ContainerId run(Start effect) throws Exception {
    var pod = effect.pod();
    try {
      runtime.obtainImage(assembly.image(pod, effect.container()));
      var spec = assembly.of(pod, effect.container(), effect.attempt(), published(effect));
      var container = runtime.start(spec);
      var run = Runs.read(runtime, container);
      boolean hook = Hooks.has(effect.container(), "postStart");
      // At once: between the two the next container would start.
      local.change(here -> hook ? here.with(run).hooked(run.id()) : here.with(run));
      return container.id();
    } catch (UnusableException unusable) {
      throw troubled(effect, "CreateContainerConfigError", unusable);
    } catch (RefusedException refused) {
      throw troubled(effect, refused.reason().word(), refused);
    } catch (IOException | RuntimeException failure) {
      throw troubled(effect, "CreateContainerError", failure, Unplaced.why(failure));
    }
  }

  private <E extends Exception> E troubled(Start effect, String reason, E failure) {
    return troubled(effect, reason, failure, String.valueOf(failure.getMessage()));
  }

  private <E extends Exception> E troubled(Start effect, String reason, E failure, String message) {
    var pod = effect.pod();
    var slot = new Slot(pod.meta().uid(), effect.container().name());
    local.change(here -> here.with(slot, new Trouble(reason, message)));
    events.tell(Notice.warning(pod.ref(), Reasons.FAILED, "Error: " + message));
    return failure;
  }

  private void tellLimits(Pod pod) {
    var notDone = Limits.notDone(pod, runtime.enforced());
    if (!notDone.isEmpty())
      events.tell(
          Notice.normal(
              pod.ref(),
              Reasons.NOT_ENFORCED,
              "this node agent runs the pod without " + String.join(", ", notDone)));
    var notIsolated = Limits.notIsolated(pod, runtime.enforced());
    if (!notIsolated.isEmpty())
      events.tell(
          Notice.warning(
              pod.ref(),
              Reasons.NOT_ENFORCED,
              "the pod runs, and these have no effect on its isolation: "
                  + String.join(", ", notIsolated)));
  }

  private Map<String, MountedVolume> published(Start effect) throws IOException, UnusableException {
    var published = new HashMap<String, MountedVolume>(places.of(effect));
    effect
        .volumes()
        .forEach((name, want) ->
            published.put(
                name,
                new MountedVolume(
                    want.spec(),
                    volumes.of(want.form()).publishTarget(want.podUid(), want.spec()),
                    want.readOnly(),
                    group(want))));
    return published;
  }

  /// What the volume says (NVM-17); else, for a pod that asks for a group, the one that the files
  /// have been given to here, which may be another pod's (NCSI-13).
  private OptionalInt group(Want want) {
    var staged = actual.now().volume(want.name()).group();
    boolean asked = want.pod().spec().path("securityContext").hasNonNull("fsGroup");
    var gid =
        want.bound()
            .flatMap(bound -> bound.volume().meta().annotation(Annotations.VOLUME_GID))
            .or(() -> asked ? staged : Optional.empty());
    return gid.filter(text -> text.matches("[0-9]{1,9}")).isPresent()
        ? OptionalInt.of(Integer.parseInt(gid.get()))
        : OptionalInt.empty();
  }

  /// The run before is kept, for its log and its last state.
  private void forgetBefore(Pod pod, ContainerId latest) throws InterruptedException, IOException {
    for (var run : local.now().runs(latest.podUid(), latest.name())) {
      if (run.id().attempt() >= latest.attempt() - 1) continue;
      runtime.remove(run.id());
      files.removeLog(pod.meta(), run.id());
      local.change(here -> here.without(run.id()));
    }
  }

  /// Noted before anything is sent: what cannot be asked is killed all the same. How a container
  /// ends is told by the runtime. A second time there is less time: then no hook is waited for.
  private void stop(Stop effect) {
    var before = local.now().stopping();
    local.change(here -> here.stopping(effect.runs(), effect.killed()));
    for (var id : effect.runs()) {
      effect
          .pod()
          .ifPresent(pod ->
              events.tell(
                  Notice.normal(
                      pod.ref(),
                      Reasons.KILLING,
                      effect.why().isEmpty() ? "Stopping container " + id.name() : effect.why())));
      if (before.containsKey(id)) runtime.terminate(id);
      else hooks.beforeEnd(effect, id, () -> runtime.terminate(id));
    }
  }

  /// One that hangs keeps no other alive.
  private void kill(Kill effect) throws InterruptedException, IOException {
    Optional<StillRunningException> hangs = Optional.empty();
    for (var id : effect.runs()) {
      try {
        runtime.kill(id);
        var ended = runtime.find(id).map(container -> Runs.read(runtime, container));
        local.change(here -> ended.map(here::with).orElseGet(() -> here.without(id)));
      } catch (StillRunningException hanging) {
        hangs = Optional.of(hanging);
      }
    }
    if (hangs.isPresent()) throw hangs.get();
  }

  /// In this order: killed in between, the pod still holds its volumes and is looked at again.
  private void release(String podUid) {
    runtime.stopPod(podUid);
    actual.release(podUid);
  }

  /// Only onto the pod that the status was made for.
  private void report(Report effect) {
    try {
      api.patchStatus(
          Resources.PODS,
          effect.pod().key(),
          effect.pod().patch(body -> body.set("status", effect.status())));
      effect.notice().ifPresent(events::tell);
    } catch (ApiException refused) {
      if (!refused.isNotFound()) throw refused; // gone: nobody wants to know
    }
  }

  private void cleanUp(String podUid) throws InterruptedException, IOException {
    for (var run : local.now().runs(podUid)) runtime.remove(run.id());
    runtime.removePod(podUid);
    files.remove(podUid);
    assembly.forget(podUid);
    local.change(here -> here.without(podUid));
  }

  private void delete(Delete effect) {
    try {
      api.delete(
          Resources.PODS, effect.pod(), DeleteOptions.uid(effect.podUid()).gracePeriodSeconds(0));
    } catch (ApiException refused) {
      if (!refused.isNotFound()) throw refused;
    }
  }
}
