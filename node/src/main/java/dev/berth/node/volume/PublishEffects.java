package dev.berth.node.volume;

import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.NodePublishVolumeRequest;
import dev.berth.csi.v1.NodeUnpublishVolumeRequest;
import dev.berth.kube.model.CsiDriver;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.name.Reasons;
import dev.berth.node.driver.Driver;
import dev.berth.node.volume.MountEffect.Publish;
import dev.berth.node.volume.MountNews.Step;
import dev.berth.node.volume.VolumeFiles.StillMountedException;
import dev.berth.node.volume.state.ActualState;
import dev.berth.node.volume.state.Publication;
import dev.berth.node.volume.state.Staging;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// Publishes volumes for pods and undoes it. The order is [MountEffects]'s.
record PublishEffects(DriverRequests requests, VolumeFiles all, ActualState state, MountNews news) {
  void publish(Publish effect) throws IOException {
    var want = effect.want();
    var began = news.time().now();
    try {
      var driver = requests.driver(want.name());
      publish(effect, publishing(effect, driver), requests.tokens(want, effect.tokens()));
    } catch (RuntimeException | IOException failure) {
      news.failed(want, Step.PUBLISH, failure);
      throw failure;
    }
    news.done(want, Reasons.VOLUME_PUBLISHED, "published", began);
  }

  /// What is mounted stays mounted, whatever comes of it (NCSI-10, table 6b).
  void republish(Publish effect) throws IOException {
    var want = effect.want();
    var name = want.name();
    try {
      var ready = publishing(effect, requests.driver(name));
      var tokens = requests.tokens(want, effect.tokens());
      ready.driver().calls().nodePublishVolume(request(effect, ready, tokens));
    } catch (RuntimeException | IOException failure) {
      news.failed(want, Step.PUBLISH, failure);
      throw failure;
    }
    var renewed = new Publication.Present(want.spec(), news.time().now());
    state.change(name, volume -> volume.with(want.podUid(), renewed));
  }

  private NodeRequests publishing(Publish effect, Driver driver) throws IOException {
    var want = effect.want();
    var group = told(want.name(), driver, effect.group());
    return requests.of(want, driver, group, want.source().nodePublishSecret(), "Publish");
  }

  private NodePublishVolumeRequest request(
      Publish effect, NodeRequests ready, Map<String, String> tokens) {
    var want = effect.want();
    var files = all.of(want.form());
    Optional<Path> staging =
        state.now().volume(want.name()).staging() instanceof Staging.Present
            ? Optional.of(files.stagingTarget(want.name()))
            : Optional.empty();
    var target = files.publishTarget(want.podUid(), want.spec());
    var request = ready.publish(staging, target, effect.podInfo()).toBuilder();
    return effect.tokens().filter(CsiDriver.Tokens::inSecrets).isPresent()
        ? request.putAllSecrets(tokens).build()
        : request.putAllVolumeContext(tokens).build();
  }

  private void publish(Publish effect, NodeRequests ready, Map<String, String> tokens)
      throws IOException {
    var want = effect.want();
    var name = want.name();
    var uid = want.podUid();
    var files = all.of(want.form());
    files.announcePublication(name, uid, want.spec(), want.form());
    var announced = announced(name, uid, want.spec());
    state.change(name, volume -> volume.with(want.form()).with(uid, announced));
    try {
      ready.driver().calls().nodePublishVolume(request(effect, ready, tokens));
    } catch (CsiException refused) {
      if (!refused.uncertainOrExhausted()) refutePublication(files, name, uid, announced);
      throw refused;
    }
    files.map(uid, want.spec());
    // Also where the driver could: it was not told when it staged the volume for an earlier pod.
    if (ready.group().isEmpty() && effect.group().filter(FsGroup::byAgent).isPresent())
      files.own(files.publishTarget(uid, want.spec()), effect.group().get());
    state.change(
        name,
        volume ->
            want.bound()
                .flatMap(bound -> bound.claim().capacity())
                .map(size -> volume.with(volume.size().came(size)))
                .orElse(volume)
                .with(uid, announced.confirm(news.time().now())));
    effect.group().ifPresent(group -> news.otherGroup(want, group, ready.group()));
  }

  private Publication.Uncertain announced(VolumeName name, String podUid, String spec) {
    return switch (state.now().volume(name).publications().get(podUid)) {
      case null -> Publication.announce(spec);
      case Publication.Uncertain uncertain -> uncertain.again();
      case Publication.Present _ ->
          throw new IllegalStateException(
              name + " is to be published for pod " + podUid + ", and is already");
    };
  }

  /// The driver refused for good; but what is mounted is mounted (NCSI-16).
  private void refutePublication(
      VolumeFiles files, VolumeName name, String podUid, Publication.Uncertain announced)
      throws IOException {
    if (announced.refute().isPresent()) return;
    try {
      files.removePublication(podUid, announced.spec());
    } catch (StillMountedException _) {
      return;
    }
    state.change(name, volume -> volume.without(podUid));
  }

  /// Parts, then the driver, then the directories (NOPX-07, NCSI-17). A failure leaves it
  /// uncertain, and the next attempt begins with the same call.
  void unpublish(VolumeName name, String podUid) throws IOException {
    if (!state.beginUnpublish(name, podUid)) return;
    var publication = state.now().volume(name).publications().get(podUid);
    if (publication == null) return;
    var files = all.of(state.now().volume(name).form());
    files.removeParts(podUid, publication.spec());
    requests
        .driver(name)
        .calls()
        .nodeUnpublishVolume(
            NodeUnpublishVolumeRequest.newBuilder()
                .setVolumeId(name.handle())
                .setTargetPath(files.publishTarget(podUid, publication.spec()).toString())
                .build());
    files.removePublication(podUid, publication.spec());
    state.change(name, volume -> volume.without(podUid));
  }

  /// A staged volume has the group that it was staged with, whichever pod is next: in all calls
  /// about it the driver has to be told the same (NCSI-13).
  private String told(VolumeName name, Driver driver, Optional<FsGroup> group) {
    return state.now().volume(name).staging() instanceof Staging.Present(var staged)
        ? staged
        : DriverRequests.told(driver, group);
  }
}
