package dev.berth.node.health;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.NodeGetVolumeHealthRequest;
import dev.berth.csi.v1.NodeServiceCapability.RPC;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.Patch;
import dev.berth.kube.fact.Source;
import dev.berth.kube.fact.Told;
import dev.berth.kube.loop.Effects;
import dev.berth.kube.model.ClaimHealth;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.VolumeHealth;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import dev.berth.kube.time.Time;
import dev.berth.node.driver.Driver;
import dev.berth.node.driver.Drivers;
import dev.berth.node.volume.VolumeFiles;
import dev.berth.node.volume.state.ActualState;
import dev.berth.node.volume.state.Staging;
import dev.berth.volume.health.Report;
import java.nio.file.Path;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How drivers are asked and pods are told.
public final class HealthEffects implements Effects<HealthEffect> {
  private static final Logger log = LoggerFactory.getLogger(HealthEffects.class);
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final Api api;
  private final Drivers drivers;
  private final VolumeFiles files;
  private final ActualState mounted;
  private final Time time;
  private final Told<Known> known = new Told<>(Known.TOPIC);

  public HealthEffects(
      Api api, Drivers drivers, VolumeFiles files, ActualState mounted, Time time) {
    this.api = api;
    this.drivers = drivers;
    this.files = files;
    this.mounted = mounted;
    this.time = time;
  }

  /// What is found out here.
  public Source<?> source() {
    return known;
  }

  @Override
  public void carryOut(HealthEffect effect) {
    switch (effect) {
      case HealthEffect.Ask(var name) -> ask(name);
      case HealthEffect.Forget(var name) -> known.change(it -> it.without(name));
      case HealthEffect.WriteHealth(var pod, _, var health) -> write(pod, health.object());
    }
  }

  /// VH-11: a refusal says nothing.
  private void ask(VolumeName name) {
    var driver = drivers.find(name.driver());
    if (driver.isEmpty()) return; // it is asked when it is there
    boolean speaks = true; // as long as nobody could say
    var report = known.now().of(name).flatMap(Said::report);
    try {
      speaks = driver.get().can(RPC.Type.GET_VOLUME_HEALTH);
      if (speaks) report = Optional.of(health(driver.get(), name));
    } catch (CsiException failed) {
      log.debug("the health of volume {} is not known: {}", name, failed.getMessage());
    }
    var said = new Said(driver.get().registration(), time.now(), speaks, report);
    known.change(it -> it.with(name, said));
  }

  private Report health(Driver driver, VolumeName name) {
    var request = NodeGetVolumeHealthRequest.newBuilder().setVolumeId(name.handle());
    published(name).ifPresent(path -> request.setVolumePublishPath(path.toString()));
    staged(name).ifPresent(path -> request.setStagingTargetPath(path.toString()));
    return Report.of(driver.calls().nodeGetVolumeHealth(request.build()).getVolumeHealth());
  }

  private Optional<Path> published(VolumeName name) {
    var state = mounted.now().volume(name);
    return state.publications().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .findFirst()
        .map(it -> files.of(state.form()).publishTarget(it.getKey(), it.getValue().spec()));
  }

  private Optional<Path> staged(VolumeName name) {
    var state = mounted.now().volume(name);
    return switch (state.staging()) {
      case Staging.Absent _, Staging.Skipped _ -> Optional.empty();
      case Staging.Uncertain _, Staging.Present _ ->
          Optional.of(files.of(state.form()).stagingTarget(name));
    };
  }

  /// The list is written as a whole: nobody else writes it (VH-10).
  private void write(Ref pod, Map<String, ClaimHealth> health) {
    var body = JSON.objectNode();
    body.putObject("metadata").put("uid", pod.uid());
    var status = body.putObject("status");
    if (health.isEmpty()) status.putNull("volumeHealth");
    else {
      var list = status.putArray("volumeHealth");
      health.forEach((name, one) -> {
        var entry = list.addObject().put("name", name);
        one.lastTransition()
            .ifPresent(it ->
                entry.put("lastTransitionTime", it.truncatedTo(ChronoUnit.SECONDS).toString()));
        var conditions = entry.putArray(VolumeHealth.LIST);
        one.conditions().forEach(it -> conditions.add(it.write()));
      });
    }
    var after = api.patchStatus(Resources.PODS, pod.key(), Patch.merge(body));
    // VH-16: what is kept in part would else be sent at each look
    boolean dropped = !VolumeHealths.same(ClaimHealth.ofPod(Kinds.POD.read().apply(after)), health);
    if (dropped)
      log.warn(
          "the API server does not take the health of volumes as it is: its gate CSIVolumeHealth"
              + " is off, or it is of another version");
    known.change(it -> it.dropping(dropped ? Optional.of(time.now()) : Optional.empty()));
  }
}
