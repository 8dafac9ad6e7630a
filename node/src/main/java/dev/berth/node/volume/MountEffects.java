package dev.berth.node.volume;

import dev.berth.kube.api.Api;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.loop.Effects;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.time.Time;
import dev.berth.node.driver.Drivers;
import dev.berth.node.token.PodTokens;
import dev.berth.node.volume.MountEffect.Publish;
import dev.berth.node.volume.MountEffect.Stage;
import dev.berth.node.volume.state.ActualState;
import dev.berth.node.volume.state.Form;
import dev.berth.node.volume.state.VolumeState.Attached;
import java.io.IOException;

/// Carries out what [MountDecision] asks for. Each way into a mount has the same order: note on
/// disk, state in memory, call to the driver, its answer in the state (NVM-10, table 6b).
public final class MountEffects implements Effects<MountEffect> {
  private final String node;
  private final Api api;
  private final ActualState state;
  private final VolumeFiles files;
  private final StageEffects staging;
  private final PublishEffects publishing;
  private final GrowthEffects growing;

  public MountEffects(
      String node,
      Api api,
      Drivers drivers,
      VolumeFiles files,
      ActualState state,
      EventRecorder events,
      Time time,
      PodTokens tokens) {
    this.node = node;
    this.api = api;
    this.state = state;
    this.files = files;
    var requests = new DriverRequests(api, drivers, state, tokens);
    var news = new MountNews(events, time);
    this.staging = new StageEffects(requests, files, state, news);
    this.publishing = new PublishEffects(requests, files, state, news);
    this.growing = new GrowthEffects(api, requests, files, state, news);
  }

  @Override
  public void carryOut(MountEffect effect) throws IOException {
    switch (effect) {
      case MountEffect.Verify(var name) -> verify(name);
      case Stage stage -> staging.stage(stage);
      case Publish publish -> publishing.publish(publish);
      case MountEffect.Republish(var publish) -> publishing.republish(publish);
      case MountEffect.Grow grow -> growing.grow(grow);
      case MountEffect.Unpublish(var name, var podUid) -> publishing.unpublish(name, podUid);
      case MountEffect.Unstage(var name) -> staging.unstage(name);
      case MountEffect.Forget(var name) -> forget(name);
    }
  }

  /// A device has notes of its own, also where its driver stages nothing.
  private void forget(VolumeName name) throws IOException {
    var form = state.now().volume(name).form();
    if (form == Form.DEVICE) files.of(form).removeStaging(name);
    state.forget(name);
  }

  /// The volume is reported in use and its entry keeps it so; only now does what the server says of
  /// the attachment hold until the entry goes (NVM-13, AD-63). What it says otherwise is in the
  /// caches afterwards, and the next decision waits for it.
  private void verify(VolumeName name) {
    if (!state.pin(name, true)) return;
    var own = Kinds.NODE.read().apply(api.get(Resources.NODES, ObjectKey.cluster(node)));
    var key = ObjectKey.cluster(name.attachment(node));
    var attachment = Kinds.ATTACHMENT.read().apply(api.get(Resources.ATTACHMENTS, key));
    if (!own.volumesInUse().contains(name.toString())
        || !own.volumesAttached().contains(name.toString())
        || !attachment.attached()
        || attachment.meta().deleting()) return;
    var proof = new Attached(attachment.meta().uid(), attachment.metadata());
    state.change(name, volume -> volume.with(proof));
  }
}
