package dev.berth.sidecar.provisioner;

import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Claim.DataSource;
import dev.berth.kube.model.StorageClass;
import dev.berth.kube.model.Volume;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.name.Finalizers;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.connection.OwnNode;
import dev.berth.sidecar.dispatch.Asking;
import dev.berth.sidecar.provisioner.ProvisionEffect.Forget;
import dev.berth.sidecar.provisioner.ProvisionEffect.LetGoOfLost;
import dev.berth.sidecar.provisioner.ProvisionEffect.Provision;
import dev.berth.sidecar.provisioner.ProvisionEffect.Reschedule;
import dev.berth.sidecar.provisioner.ProvisionEffect.Take;
import dev.berth.sidecar.provisioner.intent.Begun;
import dev.berth.sidecar.provisioner.intent.Intent;
import dev.berth.sidecar.provisioner.intent.Recipe;
import dev.berth.sidecar.provisioner.topology.Placement;
import dev.berth.sidecar.provisioner.topology.Segments;
import dev.berth.sidecar.secret.SecretParameters;
import dev.berth.sidecar.secret.SecretParameters.Resolved;
import dev.berth.sidecar.secret.SecretParameters.Unresolvable;
import dev.berth.sidecar.secret.TemplateSubject;
import dev.berth.sidecar.source.CloneSource;
import dev.berth.sidecar.source.Source;
import dev.berth.volume.Binding;
import java.time.Duration;
import java.util.Optional;

/// Takes one claim from asking for a volume of our driver to having one (spec/provisioner.md).
final class ProvisionDecision {
  private static final String INTENT =
      "metadata.annotations[" + Annotations.PROVISIONING_INTENT + "]";

  private final DriverFacts driver;
  private final ProvisionerOptions options;
  private final PlacementDecision placement;
  private final Hindrances hindrances;

  ProvisionDecision(DriverFacts driver, ProvisionerOptions options) {
    this.driver = driver;
    this.options = options;
    placement = new PlacementDecision(driver, options);
    hindrances = new Hindrances(driver, options);
  }

  Step decide(View view, ObjectKey key) {
    return switch (view.claim(key)) {
      case Missing<Claim> _ -> new Settled();
      // PROV-152
      case Found(var claim) when isFree(claim) -> take(view, claim, driver.own().get().name());
      case Found(var claim) ->
          switch (Begun.of(claim)) {
            case Begun.As(var intent) when intent.driver().equals(driver.name()) ->
                // also if it is being deleted: PROV-113
                driver.servesNode(beganAt(claim, intent))
                    ? finish(view, claim, intent)
                    : untilFinishedElsewhere(view, claim, intent);
            case Begun _ when !driver.servesNode(selected(claim)) -> new Settled(); // PROV-151
            case Begun.Nothing() -> begin(view, claim);
            case Begun.As(var intent) ->
                isOurs(claim) ? untilFinished(claim, intent, intent.driver()) : new Settled();
            case Begun.Unreadable(var why) ->
                isOurs(claim) ? untilReadable(view, claim, why) : new Settled();
          };
    };
  }

  private static String selected(Claim claim) {
    return claim.selectedNode().orElse("");
  }

  /// Where each node has a provisioner of its own, nobody else can tell what has become of a
  /// volume: whichever node is selected by now, the one that began goes on (PROV-191).
  private static String beganAt(Claim claim, Intent intent) {
    return intent.node().orElseGet(() -> selected(claim));
  }

  /// The node that is selected now has to wait; any other has nothing to do with it, unless the
  /// claim is deleted and whoever has begun does not come back.
  private Step untilFinishedElsewhere(View view, Claim claim, Intent intent) {
    boolean waits = driver.servesNode(selected(claim));
    var begun = intent.node();
    if (begun.isEmpty() || !waits && !claim.meta().deleting()) return new Settled();
    var until = untilFinished(claim, intent, intent.driver() + " on node " + begun.get());
    var due = claim.meta().deleted().map(at -> at.plus(patience(claim)));
    if (due.isPresent() && view.now().isBefore(due.get()))
      return waits ? until.lookAgainAt(due.get()) : new Settled().lookAgainAt(due.get());
    return new Act(new LetGoOfLost(new Seen<>(claim), begun.get(), intent.volume())).then(until);
  }

  /// Not all nodes look at the same time.
  private Duration patience(Claim claim) {
    var here = driver.own().map(OwnNode::name).orElse("");
    int lot = Math.floorMod((claim.meta().uid() + here).hashCode(), 1000);
    return LostNodes.PATIENCE.plus(LostNodes.PATIENCE.multipliedBy(lot).dividedBy(1000));
  }

  /// Whether no node is to have it, where each has a provisioner of its own.
  private boolean isFree(Claim claim) {
    return driver.own().isPresent()
        && claim.selectedNode().isEmpty()
        && Begun.of(claim) instanceof Begun.Nothing;
  }

  /// A claim that waits for no pod is whoever's takes it first.
  private Step take(View view, Claim claim, String node) {
    if (options.taking().isEmpty()
        || !isOurs(claim)
        || !claim.volumeName().isEmpty()
        || claim.meta().deleting()) return new Settled();
    return switch (view.storageClass(claim.className().orElse(""))) {
      case Found(var c)
          when c.provisioner().equals(driver.name())
              && !c.waitsForFirstConsumer()
              && placement.allowsOwn(c) ->
          take(view, claim, node, c);
      case Found<StorageClass> _, Missing<StorageClass> _ -> new Settled();
    };
  }

  /// Not all at the same time: each after a part of the longest delay that is its own for the
  /// claim.
  private Step take(View view, Claim claim, String node, StorageClass storageClass) {
    long delay = options.taking().orElseThrow().base().toMillis();
    int lot = Math.floorMod((claim.meta().uid() + node).hashCode(), 1000);
    var due = claim.meta().created().plusMillis(delay * lot / 1000);
    if (view.now().isBefore(due)) return new Settled().lookAgainAt(due);
    return switch (begin(view, claim, storageClass)) {
      case Settled settled -> settled;
      case Act(Provision(var plan), _) ->
          new Act(new Take(new Seen<>(claim), node, Optional.of(plan.room()))); // PROV-153
      case Act _, Wait _ -> new Act(new Take(new Seen<>(claim), node, Optional.empty()));
    };
  }

  /// As long as it cannot be read, a volume may exist; but none that is not saved if the claim's
  /// is.
  private Step untilReadable(View view, Claim claim, String why) {
    var name = options.volumeName(claim.meta().uid());
    return view.volume(name) instanceof Found<Volume>(var volume) && Binding.holds(volume, claim)
        ? forget(claim)
        : untilReadable(claim, name, why);
  }

  /// A volume has been begun: nothing but its PersistentVolume or the driver's refusal ends that.
  /// Once it is saved the binder has the claim, and writes to it twice: who let go of it meanwhile
  /// would be in his way. Berth's takes the intent off himself; after another's last write we do.
  private Step finish(View view, Claim claim, Intent intent) {
    return switch (view.volume(intent.volume())) {
      case Found(var volume) when !Binding.holds(volume, claim) -> untilNameIsFree(claim, volume);
      case Found<Volume> _ when isBeingBound(claim) -> new Settled(); // PROV-191
      case Found<Volume> _ -> forget(claim);
      case Missing<Volume> _ ->
          hindrances.capability(claim).<Step>map(it -> it).orElseGet(() -> create(claim, intent));
    };
  }

  private static boolean isBeingBound(Claim claim) {
    return claim.phase() == Claim.Phase.PENDING && !claim.meta().deleting();
  }

  /// The rules of section 2, in order.
  private Step begin(View view, Claim claim) {
    boolean held = claim.meta().hasFinalizer(Finalizers.PROVISIONING);
    if (!isOurs(claim)) return new Settled(); // PROV-11
    // PROV-12
    if (!claim.volumeName().isEmpty()) return held ? forget(claim) : new Settled();
    if (claim.meta().deleting() && !held) return new Settled(); // PROV-20
    return switch (view.storageClass(claim.className().orElse(""))) {
      case Missing<StorageClass>(var ref) -> untilClassExists(claim, ref); // PROV-13
      case Found(var c) when !c.provisioner().equals(driver.name()) -> new Settled(); // PROV-17
      case Found(var c) when c.waitsForFirstConsumer() && claim.selectedNode().isEmpty() ->
          untilNodeSelected(claim); // PROV-14
      case Found(var c) -> begin(view, claim, c);
    };
  }

  private Step begin(View view, Claim claim, StorageClass storageClass) {
    var name = options.volumeName(claim.meta().uid());
    // PROV-16
    if (view.volume(name) instanceof Found<Volume>(var volume))
      return Binding.holds(volume, claim) ? new Settled() : untilNameIsFree(claim, volume);
    var refusal = Refusal.of(claim).filter(old -> standing(old, claim, storageClass, view));
    if (refusal.isPresent()) return untilPauseEnds(storageClass, refusal.get()); // PROV-120
    var recipe = Recipe.of(storageClass);
    var hindrance = hindrances.of(claim, recipe);
    if (hindrance.isPresent()) return hindrance.get();
    return switch (clone(view, claim, recipe)) {
      case Clone.NotYet(var wait) -> wait; // PROV-68
      case Clone.Of(var source) -> place(view, claim, storageClass, source);
    };
  }

  private Step place(View view, Claim claim, StorageClass storageClass, Optional<Source> source) {
    return switch (placement.place(view, claim, storageClass)) {
      case Placement.NotYet(var wait) -> wait;
      case Placement.NodeGone(var missing) -> withoutNode(claim, missing); // PROV-82
      case Placement.Anywhere() -> create(claim, storageClass, Optional.empty(), source);
      case Placement.Within(var segments) ->
          create(claim, storageClass, Optional.of(segments), source);
    };
  }

  private Step create(
      Claim claim,
      StorageClass storageClass,
      Optional<Segments> segments,
      Optional<Source> source) {
    var recipe = Recipe.of(storageClass);
    var intent =
        new Intent(
            driver.name(),
            options.volumeName(claim.meta().uid()),
            PlacementDecision.node(claim),
            recipe,
            segments,
            source,
            Optional.empty());
    return Hindrances.parameters(claim, recipe)
        .<Step>map(it -> it)
        .orElseGet(() -> create(claim, intent));
  }

  private Step create(Claim claim, Intent intent) {
    var subject = TemplateSubject.of(intent.volume(), claim);
    return switch (SecretParameters.resolve(intent.recipe().parameters(), subject)) {
      case Unresolvable(var why) -> Hindrances.wrongClass(claim, intent.recipe(), why); // PROV-51
      case Resolved secrets ->
          new Act(new Provision(VolumePlan.of(claim, intent, secrets, driver, options)));
    };
  }

  /// What the claim's volume is to be a copy of.
  private sealed interface Clone {
    /// @param source empty: of no other claim's
    record Of(Optional<Source> source) implements Clone {}

    record NotYet(Wait until) implements Clone {}
  }

  private static Clone clone(View view, Claim claim, Recipe recipe) {
    var source = claim.dataSource().filter(it -> it.kind().equals(Source.CLAIM_KIND));
    if (source.isEmpty()) return new Clone.Of(Optional.empty());
    return switch (CloneSource.of(
        claim, source.get().key(), recipe.provisioner(), view.objects())) {
      case CloneSource.Usable(var found) -> new Clone.Of(Optional.of(found));
      case CloneSource.NotYet(var on, var field, var why) ->
          new Clone.NotYet(untilCloneable(claim, source.get(), on, field, why));
    };
  }

  private static Wait untilCloneable(
      Claim claim, DataSource source, Ref on, String field, String why) {
    return Complaint.ofAttempt(
        claim,
        Wait.on(on, field)
            .since(claim.meta().created())
            .until("claim %s can be copied: %s".formatted(source.key(), why))
            .remedy("create the claim anew with a source that can be copied"),
        "error getting handle for DataSource Type %s by Name %s: %s"
            .formatted(source.kind(), source.name(), why));
  }

  private static Step forget(Claim claim) {
    return new Act(new Forget(new Seen<>(claim)));
  }

  private boolean isOurs(Claim claim) {
    return Asking.asked(claim).filter(driver.name()::equals).isPresent();
  }

  /// Whether the claim asks this driver, or may have begun with it.
  boolean concerns(Claim claim) {
    return Asking.concerns(claim, driver.name());
  }

  private boolean standing(Refusal refusal, Claim claim, StorageClass storageClass, View view) {
    return refusal.classUid().equals(storageClass.meta().uid())
        && refusal.isOf(claim)
        && view.now().isBefore(refusal.until(options.pause()));
  }

  private static Step withoutNode(Claim claim, Ref missing) {
    if (claim.meta().hasAnnotation(Annotations.SELECTED_NODE) && !claim.meta().deleting())
      return new Act(new Reschedule(new Seen<>(claim), missing)); // PROV-123
    return Wait.on(missing)
        .since(claim.meta().created())
        .until("%s exists".formatted(missing))
        .remedy("bring the node back");
  }

  private Wait untilReadable(Claim claim, String volume, String why) {
    return Complaint.of(
        claim,
        Wait.on(claim.ref(), INTENT)
            .since(claim.meta().created())
            .until("it can be read what has been begun for the claim; " + why)
            .remedy(
                """
                run the version of Berth that wrote it; or remove the annotation %s: creating is \
                then begun anew under the same name %s, and if the claim asks for something else \
                than it did, delete what driver %s has under that name\
                """
                    .formatted(Annotations.PROVISIONING_INTENT, volume, driver.name())),
        "annotation %s cannot be read, and a volume may exist: %s"
            .formatted(Annotations.PROVISIONING_INTENT, why));
  }

  private static Wait untilFinished(Claim claim, Intent intent, String whose) {
    return Wait.on(claim.ref(), INTENT)
        .since(claim.meta().created())
        .until(
            "driver %s has finished volume %s, which it has begun for the claim"
                .formatted(whose, intent.volume()))
        .remedy("run driver %s until it has".formatted(whose));
  }

  private static Wait untilClassExists(Claim claim, Ref ref) {
    return Complaint.of(
        claim,
        Wait.on(ref)
            .since(claim.meta().created())
            .until("class %s exists".formatted(ref.key().name()))
            .remedy("create the class, or create the claim anew with one that exists"),
        "storageclass.storage.k8s.io \"%s\" not found".formatted(ref.key().name()));
  }

  private static Wait untilNodeSelected(Claim claim) {
    return Wait.on(claim.ref(), "metadata.annotations[" + Annotations.SELECTED_NODE + "]")
        .since(claim.meta().created())
        .until("a node is selected for its first pod")
        .remedy("create a pod that uses the claim");
  }

  private static Wait untilNameIsFree(Claim claim, Volume volume) {
    var name = volume.meta().name();
    return Complaint.of(
        claim,
        Wait.on(volume.ref())
            .since(claim.meta().created())
            .until("the name %s is free".formatted(name))
            .remedy(
                "%s belongs to another claim; make volume names longer, or create the claim anew"
                    .formatted(name)),
        "persistentvolume \"%s\" already exists for another claim".formatted(name));
  }

  private Wait untilPauseEnds(StorageClass storageClass, Refusal refusal) {
    var end = refusal.until(options.pause());
    return Wait.on(storageClass.ref(), "parameters")
        .since(refusal.at())
        .until(
            "class %s is replaced, or the driver is asked again at %s; it answered: %s"
                .formatted(storageClass.meta().name(), end, refusal.message()))
        .remedy("create a class that the driver accepts, and the claim anew")
        .lookAgainAt(end);
  }
}
