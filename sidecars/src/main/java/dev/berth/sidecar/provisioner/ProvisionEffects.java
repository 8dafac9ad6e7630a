package dev.berth.sidecar.provisioner;

import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.GET_CAPACITY;

import dev.berth.csi.client.ControllerCalls;
import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.GetCapacityRequest;
import dev.berth.csi.v1.Volume;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Effects;
import dev.berth.kube.model.Claim;
import dev.berth.kube.name.Finalizers;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.time.Time;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.provisioner.ProvisionEffect.Forget;
import dev.berth.sidecar.provisioner.ProvisionEffect.LetGoOfLost;
import dev.berth.sidecar.provisioner.ProvisionEffect.Provision;
import dev.berth.sidecar.provisioner.ProvisionEffect.Reschedule;
import dev.berth.sidecar.provisioner.ProvisionEffect.Take;
import dev.berth.sidecar.provisioner.intent.Intent;
import dev.berth.sidecar.write.LifeMetrics;
import io.grpc.Status;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Creates volumes and saves them.
final class ProvisionEffects implements Effects<ProvisionEffect> {
  private static final Logger LOG = LoggerFactory.getLogger(ProvisionEffects.class);

  private final DriverFacts driver;
  private final ControllerCalls calls;
  private final EventRecorder events;
  private final Time time;
  private final ClaimWrites claims;
  private final Groundwork groundwork;
  private final Creation creation;
  private final MadeVolumes made;
  private final Provenance provenance;
  private final LostNodes lostNodes;
  private final Consumer<String> failed;
  private final LifeMetrics metrics;

  private final GivenBack givenBack;

  ProvisionEffects(
      DriverFacts driver,
      ProvisionerOptions options,
      Function<Duration, ControllerCalls> calls,
      Api api,
      EventRecorder events,
      Time time,
      String identity,
      Consumer<String> failed) {
    this.driver = driver;
    this.failed = failed;
    this.calls = calls.apply(options.timeout());
    var cleanUp = new CleanUp(calls, options.timeout(), time);
    creation = new Creation(driver.name(), this.calls, cleanUp);
    this.events = events;
    this.time = time;
    claims = new ClaimWrites(api);
    lostNodes = new LostNodes(api, events, time);
    var lookups = new Lookups(driver, options, api);
    provenance = new Provenance(driver, options, api, lookups);
    groundwork = new Groundwork(api, events, provenance, lookups);
    made =
        new MadeVolumes(
            driver.name(), api, events, new NewVolume(driver, identity), cleanUp, provenance);
    metrics = options.metrics();
    givenBack = new GivenBack(time, options.taking());
  }

  @Override
  public void carryOut(ProvisionEffect effect) {
    switch (effect) {
      case Provision(var plan) -> counted(plan);
      case Forget(var claim) -> {
        claims.forget(claim.object());
        made.forget(claim.object());
        provenance.forget(claim.object());
      }
      case Take(var claim, var node, var room) -> {
        givenBack.check(claim.object(), node);
        room.ifPresent(it -> checkRoom(claim.object(), node, it));
        claims.take(claim.object(), node);
      }
      case LetGoOfLost(var claim, var node, var volume) ->
          lostNodes.letGo(claim.object(), node, volume);
      case Reschedule(var claim, var missing) -> {
        events.tell(Complaint.attempt(claim.object()));
        complain(claim.object(), "selected node is gone: %s not found".formatted(missing));
        claims.reschedule(claim.object());
      }
    }
  }

  /// PROV-186.
  private void counted(VolumePlan plan) {
    var className = plan.intent().recipe().className();
    var source = plan.claim().dataSource().map(Claim.DataSource::kind).orElse("");
    var began = time.now();
    try {
      provision(plan);
      metrics.made(className, source, Duration.between(began, time.now()));
    } catch (ApiException.LostRace lost) {
      throw lost; // it is tried again at once
    } catch (RuntimeException failure) {
      metrics.notMade(className, source);
      throw failure;
    }
  }

  /// A driver that does not say how much room it has is asked for the volume all the same
  /// (PROV-153).
  private void checkRoom(Claim claim, String node, GetCapacityRequest request) {
    long asked = claim.request().toLong();
    if (asked == 0 || !driver.can(GET_CAPACITY)) return;
    long available;
    try {
      available = calls.getCapacity(request).getAvailableCapacity();
    } catch (CsiException unknown) {
      LOG.info("{}: room on {} is not known: {}", claim.meta().key(), node, unknown.getMessage());
      return;
    }
    if (available < asked)
      throw new GivenBack.LeftToOthers(
          "node %s has room for %d bytes, claim %s asks for %d"
              .formatted(node, available, claim.meta().key(), asked));
  }

  /// Intent, volume, PersistentVolume, in this order. Lost between any two: the claim still carries
  /// the intent, and the next look goes on with it.
  private void provision(VolumePlan wanted) {
    var attempt = Attempt.of(wanted.claim());
    if (attempt == Attempt.AGAIN) groundwork.checkUnsaved(wanted);
    events.tell(Complaint.attempt(wanted.claim()));
    boolean noted = Attempt.noted(wanted.claim());
    boolean known = noted && provenance.knows(wanted.claim());
    if (noted) groundwork.checkProvenance(wanted);
    var source = noted ? wanted : wanted.with(groundwork.withSource(wanted));
    var texts = groundwork.secretTexts(source);
    var plan = noted ? source : source.with(groundwork.withAttributes(source));
    var claim = known ? plan.claim() : noted ? takeOver(plan) : begin(plan);
    try {
      boolean lost = made.has(plan);
      var volume = made.take(plan).orElseGet(() -> creation.create(plan, texts));
      if (isForAnotherNode(claim) && !lost) {
        giveUp(plan, claim, volume, texts);
        return;
      }
      made.save(plan, claim, volume, texts);
      provenance.forget(claim);
    } catch (CsiException failure) {
      judge(plan, claim, attempt, failure);
      throw failure;
    }
    // nobody is left who would read it (PROV-180)
    if (isThereForUsAlone(claim)) return;
    events.tell(
        Notice.normal(
            claim.ref(),
            Reasons.PROVISIONING_SUCCEEDED,
            "Successfully provisioned volume " + plan.intent().volume()));
  }

  /// Whether the claim has gone to another node's provisioner since it was begun here. What may be
  /// saved already, though the answer was lost, is the claim's all the same.
  private boolean isForAnotherNode(Claim claim) {
    return claim.selectedNode().filter(node -> !driver.servesNode(node)).isPresent();
  }

  /// The volume is deleted before the claim is let go of: lost between, it is made and deleted once
  /// more (PROV-191).
  private void giveUp(VolumePlan plan, Claim claim, Volume volume, Map<String, String> texts) {
    var deleted = made.delete(plan, claim, volume, texts);
    if (!deleted.left().isEmpty())
      throw new CsiException(
          Status.Code.ABORTED, // deleted again at the next look
          "volume %s is on %s, and another node is selected for claim %s by now%s"
              .formatted(
                  plan.intent().volume(),
                  plan.intent().node().orElse("no node"),
                  claim.meta().key(),
                  deleted.left()));
    claims.forget(deleted.claim());
    provenance.forget(claim);
  }

  /// Whether it has been deleted, and nothing but our hold keeps it.
  private static boolean isThereForUsAlone(Claim claim) {
    return claim.meta().deleting()
        && claim.meta().finalizers().stream().allMatch(Finalizers.PROVISIONING::equals);
  }

  private Claim begin(VolumePlan plan) {
    return held(plan, () -> claims.begin(plan.claim(), plan.intent()));
  }

  /// So that no request of a process before this one takes the intent off (PROV-191).
  private Claim takeOver(VolumePlan plan) {
    return held(plan, () -> claims.takeOver(plan.claim()));
  }

  private Claim held(VolumePlan plan, Supplier<Claim> write) {
    try {
      var held = write.get();
      provenance.wrote(held);
      return held;
    } catch (ApiException.LostRace lost) {
      throw lost; // nothing to tell anybody
    } catch (ApiException refused) {
      complain(plan.claim(), "claim cannot be held for its volume: " + refused.getMessage());
      throw refused;
    }
  }

  private static String message(RuntimeException failure) {
    return String.valueOf(failure.getMessage());
  }

  /// Tells why it failed, and lets go of the claim if no volume can exist.
  private void judge(VolumePlan plan, Claim claim, Attempt attempt, CsiException failure) {
    var verdict =
        made.has(plan) ? Verdict.UNKNOWN : Verdict.of(failure, isPlaced(claim, plan.intent()));
    complain(
        claim,
        verdict == Verdict.INFEASIBLE
            ? "Volume provisioning failed with infeasible error. Retries will be delayed. "
                + failure.getMessage()
            : message(failure));
    failed.accept(plan.intent().recipe().className());
    if (verdict != Verdict.UNKNOWN) provenance.forget(claim);
    switch (verdict) {
      case UNKNOWN -> {}
      case REFUSED -> {
        if (attempt == Attempt.AGAIN) warn(plan, failure);
        claims.forget(claim);
      }
      case NO_ROOM_HERE -> {
        givenBack.note(claim);
        claims.reschedule(claim);
      }
      case INFEASIBLE ->
          claims.refuse(
              claim,
              new Refusal(
                  time.now(),
                  plan.intent().recipe().classUid(),
                  Refusal.asked(claim),
                  message(failure)));
    }
  }

  /// If the claim is deleted now, nobody asks for this volume again. There is none, if the driver
  /// keeps to CSI.
  private void warn(VolumePlan plan, CsiException failure) {
    LOG.warn(
        "driver {} has refused volume {} of claim {} after an attempt that it had not answered"
            + " ({}): if it holds a volume of that name, nobody else knows of it once the claim is"
            + " deleted",
        driver.name(),
        plan.intent().volume(),
        plan.claim().meta().key(),
        failure.getMessage());
  }

  /// Whether another node may have room: the one that the driver was asked about is still selected.
  private boolean isPlaced(Claim claim, Intent intent) {
    return driver.hasTopology()
        && intent.node().isPresent()
        && intent.node().equals(claim.selectedNode())
        && !claim.meta().deleting();
  }

  private void complain(Claim claim, String why) {
    events.tell(Complaint.event(claim, why));
  }
}
