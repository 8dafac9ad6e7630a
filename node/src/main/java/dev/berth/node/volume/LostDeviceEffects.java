package dev.berth.node.volume;

import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.loop.Effects;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.node.volume.state.ActualState;
import dev.berth.node.volume.state.Form;
import dev.berth.volume.Translation;
import java.io.IOException;

/// Carries out what [LostDevices] asks for: the note is written again, and the device is an
/// uncertain one from then on. The note counts, if somebody has mended it; else the
/// PersistentVolume, whose source never changes.
public record LostDeviceEffects(Api api, VolumeFiles files, ActualState state)
    implements Effects<LostDevices.Find> {
  @Override
  public void carryOut(LostDevices.Find find) throws IOException {
    var devices = files.of(Form.DEVICE);
    var noted = devices.noted(find.spec());
    var name = noted.isPresent() ? noted.get() : described(find.spec());
    devices.announceStaging(name, find.spec(), "");
    state.find(find.spec(), name);
  }

  private VolumeName described(String spec) throws IOException {
    try {
      var volume = api.get(Resources.VOLUMES, ObjectKey.cluster(spec));
      return Translation.NONE
          .name(Kinds.VOLUME.read().apply(volume))
          .orElseThrow(
              () -> new IOException("persistentvolume %s is no CSI volume".formatted(spec)));
    } catch (ApiException missing) {
      if (!missing.isNotFound()) throw missing;
      throw new IOException(
          "neither its note nor a PersistentVolume says whose device %s is".formatted(spec),
          missing);
    }
  }
}
