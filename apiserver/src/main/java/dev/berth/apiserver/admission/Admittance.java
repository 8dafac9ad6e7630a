package dev.berth.apiserver.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.core.Scaling;
import dev.berth.apiserver.core.managed.Managers;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.Refusal;
import dev.berth.apiserver.core.message.Refusals;
import dev.berth.apiserver.core.message.RefusedException;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.core.message.Request.Part;
import dev.berth.apiserver.core.state.BodyKind;
import dev.berth.apiserver.core.state.Served;
import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.rights.User;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.StoredResources;
import dev.berth.kube.value.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// Lets a write through, changes it or refuses it, as policies and webhooks say. Safe for any
/// number of threads; each waits for nobody but whom it asks.
public final class Admittance {
  private static final Resource MUTATING = StoredResources.MUTATING_WEBHOOKS;
  private static final Resource VALIDATING = StoredResources.VALIDATING_WEBHOOKS;

  private static final String CONNECT = "CONNECT";

  /// What was seen may change meanwhile.
  private static final int MOST_ATTEMPTS = 5;

  private final ApiServer api;
  private final Policies policies = new Policies();
  private final Webhooks webhooks = new Webhooks();

  public Admittance(ApiServer api) {
    this.api = api;
  }

  /// What comes of a wish to write.
  public sealed interface Verdict {
    /// @param write to be carried out in its place
    record Admitted(Request.Write write) implements Verdict {}

    record Refused(Refusal refusal) implements Verdict {}
  }

  /// Does what is asked, as soon as nobody has a say in it any more.
  public interface Execution {
    Answer of(Request request) throws InterruptedException;
  }

  /// Carries out a write as those who have a say in it let it through. They are asked with nothing
  /// held: who writes meanwhile has them asked anew.
  ///
  /// @param dryRun whether it is only tried
  /// @param warn is told what they want said
  public Answer carryOut(
      User user,
      Request.Write wish,
      boolean dryRun,
      Consumer<List<String>> warn,
      Execution execution)
      throws InterruptedException {
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      var warnings = new ArrayList<String>();
      var verdict = admit(user, wish, dryRun, warnings::add);
      var answer =
          switch (verdict) {
            case Verdict.Refused(var refusal) -> new Answer.Refused(refusal);
            case Verdict.Admitted(var write) ->
                execution.of(dryRun ? new Request.DryRun(write) : write);
          };
      if (answer instanceof Answer.Overtaken) continue;
      warn.accept(warnings);
      return answer;
    }
    return new Answer.Refused(Refusals.tooManyRequests());
  }

  /// Whether a write is of a kind that anybody has a say in. Costs next to nothing where nobody
  /// has.
  public boolean concerns(Request.Write write) {
    var state = api.state();
    if (Matching.exempt(write.resource())) return hasExpressions(write.resource());
    if (!Matching.anything(state)) return false;
    return concerned(state, operation(write), write) || concerned(state, "UPDATE", write);
  }

  private static boolean hasExpressions(Resource configuration) {
    return configuration.equals(StoredResources.ADMISSION_POLICIES)
        || Hook.KINDS.contains(configuration);
  }

  private boolean concerned(State state, String operation, Request.Write write) {
    return concerned(state, operation, write.resource(), subresource(write));
  }

  private boolean concerned(State state, String operation, Resource resource, String sub) {
    return policies.concern(state, operation, resource, sub)
        || webhooks.concern(MUTATING, state, operation, resource, sub)
        || webhooks.concern(VALIDATING, state, operation, resource, sub);
  }

  /// Asks everybody who has a say.
  ///
  /// @param dryRun whether the write is only tried
  /// @param warnings where to say what they want said
  public Verdict admit(User user, Request.Write write, boolean dryRun, Consumer<String> warnings)
      throws InterruptedException {
    try {
      if (Matching.exempt(write.resource())) return configured(write);
      return switch (write) {
        case Request.Delete delete -> {
          long seen = remove(user, delete.resource(), delete.key(), dryRun, warnings);
          yield new Verdict.Admitted(new Request.Guarded(delete, delete.key(), seen));
        }
        case Request.DeleteAll all ->
            new Verdict.Admitted(
                new Request.DeleteSeen(all, removeAll(user, all, dryRun, warnings)));
        case Request.Post post -> new Verdict.Admitted(posted(user, post, dryRun, warnings));
        case Request.Guarded _, Request.Made _, Request.DeleteSeen _ ->
            throw new IllegalStateException("only what was admitted is of this form");
        case Request.Create _, Request.Update _, Request.Change _ ->
            make(user, write, dryRun, warnings);
      };
    } catch (RefusedException refused) {
      return new Verdict.Refused(refused.refusal());
    }
  }

  /// Asks everybody who has a say in a connection to an object. What they would change of it stays
  /// as it is.
  ///
  /// @param options what it is to be, as the kind of its subresource has it
  /// @param warnings where to say what they want said
  /// @throws RefusedException if somebody refuses, or cannot be asked and must be
  public void connect(
      User user,
      Resource resource,
      ObjectKey key,
      String subresource,
      ObjectNode options,
      Consumer<String> warnings)
      throws InterruptedException {
    var state = api.state();
    if (!Matching.anything(state) || !concerned(state, CONNECT, resource, subresource)) return;
    var question =
        new Question(
            state,
            user,
            served(state, resource),
            subresource,
            CONNECT,
            key,
            Optional.of(BodyKind.of(resource, subresource).named(options)),
            Optional.empty(),
            false);
    webhooks.mutated(question, warnings);
    judge(question, warnings);
  }

  /// @return what was judged, with its revisions
  private Map<ObjectKey, Long> removeAll(
      User user, Request.DeleteAll all, boolean dryRun, Consumer<String> warnings)
      throws InterruptedException {
    var seen = new HashMap<ObjectKey, Long>();
    var list = new Request.List(all.resource(), all.namespace(), all.which());
    if (api.handle(list) instanceof Answer.Page page)
      for (var each : page.items()) {
        long judged = remove(user, all.resource(), each.key(), dryRun, warnings);
        if (judged > 0) seen.put(each.key(), judged);
      }
    return seen;
  }

  /// @return the revision that was judged; 0: there is nothing to delete
  private long remove(
      User user, Resource resource, ObjectKey key, boolean dryRun, Consumer<String> warnings)
      throws InterruptedException {
    var state = api.state();
    var old = stored(state, resource, key);
    if (old.isEmpty()) return 0;
    var question =
        new Question(
            state,
            user,
            served(state, resource),
            "",
            "DELETE",
            key,
            Optional.empty(),
            old.map(it -> shown(resource, it)),
            dryRun);
    webhooks.mutated(question, warnings);
    judge(question, warnings);
    return old.get().revision();
  }

  private Request.Post posted(
      User user, Request.Post post, boolean dryRun, Consumer<String> warnings)
      throws InterruptedException {
    var state = api.state();
    var body = BodyKind.of(post.resource(), post.subresource()).named(post.body());
    var question =
        new Question(
            state,
            user,
            served(state, post.resource()),
            post.subresource(),
            "CREATE",
            post.key(),
            Optional.of(body),
            Optional.empty(),
            dryRun);
    var sent = webhooks.mutated(question, warnings).orElse(body);
    judge(question.with(sent), warnings);
    return new Request.Post(post.resource(), post.key(), post.subresource(), sent);
  }

  /// What it would make is asked about; the writer takes it only as long as that is so.
  private Verdict make(User user, Request.Write wish, boolean dryRun, Consumer<String> warnings)
      throws InterruptedException {
    var write = wish;
    var state = api.state();
    if (mayChange(state, wish)) {
      var sketch = question(user, state, api.handle(new Request.Sketch(wish)), wish, dryRun);
      var changed = webhooks.mutated(sketch, warnings);
      if (changed.isPresent() && !changed.equals(sketch.object()))
        write =
            sketch.subresource().equals("scale")
                ? scaled(wish, sketch.key(), changed.get())
                : made(wish, sketch, changed.get(), warnings);
    }
    var question = question(user, state, api.handle(new Request.DryRun(write)), write, dryRun);
    judge(question, warnings);
    long seen = stored(state, wish.resource(), question.key()).map(Stored::revision).orElse(0L);
    return new Verdict.Admitted(
        write instanceof Request.Create ? write : new Request.Guarded(write, question.key(), seen));
  }

  private boolean mayChange(State state, Request.Write write) {
    return webhooks.concern(MUTATING, state, "CREATE", write.resource(), subresource(write))
        || webhooks.concern(MUTATING, state, "UPDATE", write.resource(), subresource(write));
  }

  private void judge(Question question, Consumer<String> warnings) throws InterruptedException {
    var refusal = policies.refusal(question, warnings);
    if (refusal.isPresent()) throw new RefusedException(refusal.get());
    webhooks.validate(question, warnings);
  }

  /// One whose expressions cannot be used is refused with its words: compiled here, where nobody
  /// waits for it.
  private Verdict configured(Request.Write wish) throws InterruptedException {
    boolean goes = wish instanceof Request.Delete || wish instanceof Request.DeleteAll;
    var made = goes ? Optional.<ObjectNode>empty() : object(api.handle(new Request.DryRun(wish)));
    if (made.isEmpty()) return new Verdict.Admitted(wish);
    var name = Json.text(made.get().path("metadata"), "name");
    var faults =
        Hook.KINDS.contains(wish.resource())
            ? webhooks.faults(made.get())
            : policies.faults(name, made.get());
    return faults.isEmpty()
        ? new Verdict.Admitted(wish)
        : new Verdict.Refused(Refusals.invalid(wish.resource(), name, faults));
  }

  /// @throws RefusedException if the write would be refused anyway
  private Question question(
      User user, State state, Answer answer, Request.Write write, boolean dryRun) {
    if (answer instanceof Answer.Refused(var refusal)) throw new RefusedException(refusal);
    var resource = write.resource();
    var shown =
        subresource(write).equals("scale")
            ? Scaling.shown(served(state, resource), answer)
            : answer;
    var whole = object(answer).orElseThrow();
    var meta = whole.path("metadata");
    var key = ObjectKey.of(Json.text(meta, "namespace"), Json.text(meta, "name"));
    var old = stored(state, resource, key);
    boolean creates = write instanceof Request.Create || old.isEmpty();
    return new Question(
        state,
        user,
        served(state, resource),
        subresource(write),
        creates ? "CREATE" : "UPDATE",
        key,
        object(shown).map(BodyKind.of(resource, subresource(write))::named),
        creates ? Optional.empty() : old.map(it -> shown(resource, it)),
        dryRun);
  }

  /// The object as webhooks have changed it; who owns what of it is as it was before, unless they
  /// have a say of their own in that. To say nothing would be the end of all who apply.
  private static Request.Write made(
      Request.Write wish, Question sketch, ObjectNode changed, Consumer<String> warnings) {
    var object = changed.deepCopy();
    var revision = sketch.old().map(it -> Json.text(it.path("metadata"), "resourceVersion"));
    var before = sketch.object().orElseThrow().path("metadata").path(Managers.FIELD);
    if (object.get("metadata") instanceof ObjectNode meta) {
      if (revision.isEmpty()) meta.remove("resourceVersion");
      else meta.put("resourceVersion", revision.get());
      if (!meta.path(Managers.FIELD).equals(before)
          && !Managers.areNamed(meta.path(Managers.FIELD))) {
        if (before.isMissingNode()) meta.remove(Managers.FIELD);
        else meta.set(Managers.FIELD, before);
        warnings.accept(
            "a webhook has made .metadata.managedFields unusable; they stay as they were");
      }
    }
    return new Request.Made(wish.resource(), sketch.key(), part(wish), object, revision.isEmpty());
  }

  /// What a Scale says of the object is whoever sent the Scale's.
  private static Request.Write scaled(Request.Write wish, ObjectKey key, ObjectNode changed) {
    var scale = changed.deepCopy();
    if (scale.get("metadata") instanceof ObjectNode meta) meta.remove("resourceVersion");
    var manager =
        switch (wish) {
          case Request.Update update -> update.manager();
          case Request.Change change -> change.manager();
          default ->
              throw new IllegalStateException("a Scale is neither made nor deleted: " + wish);
        };
    return new Request.Update(wish.resource(), key, Part.SCALE, scale, manager);
  }

  private static Part part(Request.Write wish) {
    return switch (wish) {
      case Request.Update update -> update.part();
      case Request.Change change -> change.part();
      default -> Part.MAIN;
    };
  }

  private static String operation(Request.Write write) {
    return switch (write) {
      case Request.Delete _, Request.DeleteAll _ -> "DELETE";
      default -> "CREATE";
    };
  }

  private static String subresource(Request.Write write) {
    return switch (write) {
      case Request.Update update -> subresource(update.part());
      case Request.Change change -> subresource(change.part());
      case Request.Made made -> subresource(made.part());
      case Request.Post post -> post.subresource();
      default -> "";
    };
  }

  private static String subresource(Part part) {
    return switch (part) {
      case MAIN -> "";
      case STATUS -> "status";
      case SCALE -> "scale";
      case FINALIZE -> "finalize";
    };
  }

  private static Served served(State state, Resource resource) {
    return state
        .kinds()
        .find(resource)
        .orElseThrow(() -> new RefusedException(Refusals.notServed()));
  }

  private static Optional<Stored> stored(State state, Resource resource, ObjectKey key) {
    var kind = served(state, resource);
    return state.get(kind.storedAs(), key).map(kind::show);
  }

  private static ObjectNode shown(Resource resource, Stored stored) {
    return BodyKind.of(resource, "").named(stored.object());
  }

  private static Optional<ObjectNode> object(Answer answer) {
    return switch (answer) {
      case Answer.Single(var stored) -> Optional.of(stored.object());
      case Answer.Created(var stored) -> Optional.of(stored.object());
      case Answer.Gone(var last) -> Optional.of(last.object());
      case Answer.GoneQuietly(var last, _) -> Optional.of(last.object());
      default -> Optional.empty();
    };
  }
}
