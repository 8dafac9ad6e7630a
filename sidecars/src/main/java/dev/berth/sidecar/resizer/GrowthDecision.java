package dev.berth.sidecar.resizer;

import dev.berth.csi.v1.CapacityRange;
import dev.berth.csi.v1.ControllerExpandVolumeRequest;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.Volume.CsiSource;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.value.Quantity;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.resizer.GrowthEffect.ForgetFormerSize;
import dev.berth.sidecar.resizer.GrowthEffect.Grow;
import dev.berth.sidecar.resizer.GrowthEffect.NoteSize;
import dev.berth.sidecar.resizer.GrowthEffect.PassOn;
import dev.berth.sidecar.resizer.ResizerOptions.WhileUsed;
import dev.berth.volume.request.Capabilities;
import dev.berth.volume.request.Capabilities.OfAll;
import java.util.Optional;

/// Takes one claim's volume to the size that the claim asks for (spec/resizer.md, section 3).
final class GrowthDecision {
  private static final Quantity NOTHING = Quantity.ofBytes(0);

  private final DriverFacts driver;
  private final Reach reach;
  private final ResizerOptions options;
  private final WantedSize wantedSize;
  private final GrowthWaits waits;

  GrowthDecision(DriverFacts driver, Reach reach, ResizerOptions options) {
    this.driver = driver;
    this.reach = reach;
    this.options = options;
    wantedSize = new WantedSize(reach);
    waits = new GrowthWaits(driver.name());
  }

  Step decide(View view, ObjectKey key) {
    return switch (view.claim(key)) {
      case Missing<Claim> _ -> new Settled();
      case Found(var claim) when claim.volumeName().isEmpty() -> new Settled(); // RSZ-20
      case Found(var claim) ->
          switch (view.volumeOf(claim)) {
            case Missing<Volume>(var pv) ->
                wantsMore(claim) ? waits.untilVolumeExists(claim, pv) : new Settled(); // RSZ-20
            case Found(var pv) when !ours(view, claim, pv) -> new Settled(); // RSZ-22
            case Found(var pv) when toldInVain(claim, pv) ->
                new Act(new ForgetFormerSize(pv.meta().key(), new Seen<>(pv))); // RSZ-23
            case Found(_) when !wantsMore(claim) -> new Settled(); // RSZ-20
            case Found(var pv) -> grow(view, claim, pv);
          };
    };
  }

  private Step grow(View view, Claim claim, Volume pv) {
    var wanted = wantedSize.of(claim, pv);
    if (wanted.isEmpty()) return waits.untilNodeFollows(view, claim, pv);
    var size = wanted.get();
    boolean asked = claim.growth().allocated().equals(wanted);
    var slow = Past.slowUntil(claim, options.slow()).filter(view.now()::isBefore);
    // RSZ-33
    if (asked && slow.isPresent()) return waits.untilTriedAgain(claim, slow.get());
    return switch (reach) {
      case NODE ->
          new Act(
              new PassOn(claim.meta().key(), size, new Seen<>(claim), new Seen<>(pv))); // RSZ-03
      case CONTROLLER -> askDriver(view, claim, pv, size, asked);
    };
  }

  private Step askDriver(View view, Claim claim, Volume pv, Quantity size, boolean asked) {
    var users = whoeverIsInTheWay(view, claim);
    // RSZ-60
    if (users.isPresent())
      return asked
          ? users.get()
          : new Act(
                  new NoteSize(claim.meta().key(), size, Past.FAILED_WHILE_USED, new Seen<>(claim)))
              .then(users.get());
    var source = view.source(pv).orElseThrow();
    return switch (Capabilities.ofAll(pv, source, "", driver.writers())) { // RSZ-42
      case OfAll.Contradiction(var why) -> {
        var until = waits.untilModesAgree(claim, pv, why);
        yield asked
            ? until
            : new Act(new NoteSize(claim.meta().key(), size, "", new Seen<>(claim))).then(until);
      }
      case OfAll.Agreed(var capability) ->
          new Act(
              new Grow(
                  claim.meta().key(),
                  size,
                  ControllerExpandVolumeRequest.newBuilder() // RSZ-41
                      .setVolumeId(source.handle())
                      .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(size.toLong()))
                      .setVolumeCapability(capability)
                      .build(),
                  source.controllerExpandSecret(),
                  new Seen<>(claim),
                  new Seen<>(pv)));
    };
  }

  /// The pods that keep the driver from doing it, as it has said.
  private Optional<Wait> whoeverIsInTheWay(View view, Claim claim) {
    // RSZ-62
    if (options.whileUsed() == WhileUsed.ASK_AGAIN || !Past.hasFailedWhileUsed(claim))
      return Optional.empty();
    var users = view.users(claim);
    return users.isEmpty() ? Optional.empty() : Optional.of(waits.untilUnused(claim, users));
  }

  static boolean wantsMore(Claim claim) {
    return claim.phase() == Claim.Phase.BOUND && claim.request().compareTo(capacity(claim)) > 0;
  }

  /// What the claim has; a claim made by hand may not say (RSZ-105).
  static Quantity capacity(Claim claim) {
    return claim.capacity().orElse(NOTHING);
  }

  private boolean ours(View view, Claim claim, Volume pv) {
    return view.source(pv).map(CsiSource::driver).filter(driver.name()::equals).isPresent()
        && driver.serves(pv)
        && pv.claim()
            .filter(reserved -> reserved.key().equals(claim.meta().key()))
            .filter(reserved -> reserved.uid().equals(claim.meta().uid()))
            .isPresent();
  }

  private boolean toldInVain(Claim claim, Volume pv) {
    return options.noteFormerSize()
        && pv.meta().hasAnnotation(Annotations.PRE_RESIZE_CAPACITY)
        && capacity(claim).compareTo(pv.capacity()) >= 0;
  }
}
