package dev.berth.controller.disruption;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.controller.workload.Workload;
import dev.berth.kube.api.Revision;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.event.Notice;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Decides what a budget's status is to say.
record BudgetKeeper() implements Decider<ObjectKey, BudgetKeeper.View, TellBudget> {
  private static final Index<Pod> PODS =
      new Index<>(Kinds.POD, "namespace", pod -> List.of(pod.meta().namespace()));
  private static final Index<Budget> BUDGETS =
      new Index<>(Budget.KIND, "namespace", budget -> List.of(budget.meta().namespace()));

  record View(Snapshot objects, Instant now) {}

  @Override
  public String name() {
    return "disruption";
  }

  @Override
  public List<Trigger<?, ObjectKey>> triggers() {
    return List.of(
        Trigger.on(Budget.KIND, (change, _) -> Stream.of(change.latest().meta().key())),
        Trigger.on(Kinds.POD, BudgetKeeper::guarding),
        ofWorkload(Workload.REPLICA_SET),
        ofWorkload(Workload.DEPLOYMENT),
        ofWorkload(Workload.STATEFUL_SET),
        ofWorkload(Workload.REPLICATION_CONTROLLER));
  }

  /// The budgets of a pod as it was and as it is.
  private static Stream<ObjectKey> guarding(Change<Pod> change, Snapshot objects) {
    return objects.by(BUDGETS, change.latest().meta().namespace()).stream()
        .filter(budget ->
            Stream.of(change.before(), change.after())
                .flatMap(Optional::stream)
                .anyMatch(budget::guards))
        .map(budget -> budget.meta().key());
  }

  /// Whose pods it keeps only its pods say: the budgets of its namespace are counted anew.
  private static Trigger<Workload, ObjectKey> ofWorkload(Kind<Workload> kind) {
    return Trigger.on(
        kind,
        (change, objects) ->
            replicas(change.before()).equals(replicas(change.after()))
                ? Stream.empty()
                : objects.by(BUDGETS, change.latest().meta().namespace()).stream()
                    .map(budget -> budget.meta().key()));
  }

  private static Optional<Integer> replicas(Optional<Workload> workload) {
    return workload.map(Workload::replicas);
  }

  @Override
  public View view(Facts facts, Instant now) {
    return new View(facts, now);
  }

  @Override
  public Step decide(View view, ObjectKey key) {
    return switch (view.objects.get(Budget.KIND, key)) {
      case Missing<Budget> _ -> new Settled();
      case Found<Budget>(var budget) -> decide(view, budget);
    };
  }

  private static Step decide(View view, Budget budget) {
    var pods =
        view.objects.by(PODS, budget.meta().namespace()).stream().filter(budget::guards).toList();
    var account = Account.of(budget, pods, view.now);
    var status = new BudgetStatus(budget, view.now);
    return switch (Expectation.of(budget, pods, view.objects)) {
      case Expectation.Unclear(var why) ->
          step(
              budget,
              status.failed(why),
              List.of(),
              Settled.but(
                  warning(
                      budget,
                      Reasons.CALCULATE_EXPECTED_POD_COUNT_FAILED,
                      "Failed to calculate the number of expected pods: " + why)));
      case Expectation.Counted counted ->
          step(
              budget,
              status.counted(account, counted),
              account.overdue().stream().map(pod -> notDeleted(budget, pod)).toList(),
              settled(budget, pods, account, counted));
    };
  }

  private static Step step(
      Budget budget, Optional<JsonNode> changes, List<Notice> notices, Settled otherwise) {
    return changes
        .<Step>map(status -> new Act(new TellBudget(Revision.of(budget.meta()), status, notices)))
        .orElse(otherwise);
  }

  private static Settled settled(
      Budget budget, List<Pod> pods, Account account, Expectation.Counted counted) {
    var settled = new Settled();
    if (pods.isEmpty())
      settled = Settled.but(Notice.normal(budget.ref(), Reasons.NO_PODS, "No matching pods found"));
    else if (!counted.unmanaged().isEmpty())
      settled =
          Settled.but(
              warning(
                  budget,
                  Reasons.UNMANAGED_PODS,
                  "%d pods, %s among them, are kept by no controller, so a part of them cannot be"
                          .formatted(counted.unmanaged().size(), counted.unmanaged().getFirst())
                      + " counted; set spec.minAvailable to a number"));
    return account.recheck().map(settled::lookAgainAt).orElse(settled);
  }

  private static Notice notDeleted(Budget budget, Pod pod) {
    return Notice.warning(
        pod.ref(),
        Reasons.NOT_DELETED,
        "Pod was expected by PDB %s to be deleted but it wasn't".formatted(budget.meta().key()));
  }

  private static Notice warning(Budget budget, String reason, String message) {
    return Notice.warning(budget.ref(), reason, message);
  }

  @Override
  public Class<TellBudget> effectType() {
    return TellBudget.class;
  }

  @Override
  public Stream<ObjectKey> about(Ref subject, Snapshot objects) {
    return subject.as(Budget.KIND);
  }
}
