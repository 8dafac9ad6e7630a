package dev.berth.apiserver.core;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.custom.OutgrownException;
import dev.berth.apiserver.core.custom.rule.UncompiledException;
import dev.berth.apiserver.core.kind.policy.PriorityClassRules;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.Refusal;
import dev.berth.apiserver.core.message.Refusals;
import dev.berth.apiserver.core.message.RefusedException;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.core.patch.Extent;
import dev.berth.apiserver.core.read.Reading;
import dev.berth.apiserver.core.state.Past;
import dev.berth.apiserver.core.state.Served;
import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.object.StoredResources;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;

/// The state machine: what each request answers, and what it makes of the state.
public final class Core {
  private static final List<String> FIRST_NAMESPACES =
      List.of("default", "kube-system", "kube-public", "kube-node-lease");

  /// Our name where we own fields.
  static final String SELF = "kube-apiserver";

  private Core() {}

  /// Answers a read from `state`.
  ///
  /// @param past for lists of an older moment
  /// @param ids for what a dry run makes up
  public static Answer read(State state, Past past, Request.Read read, Instant now, Ids ids) {
    try {
      served(state, read.resource());
      var reading = new Reading(state, past);
      return switch (read) {
        case Request.Get get -> reading.get(get);
        case Request.List list -> reading.list(list);
        case Request.DryRun(var write) -> tried(write(state, write, now, ids).answer());
        case Request.Sketch(var write) ->
            tried(write(Draft.unchecked(state, now, ids), write).answer());
      };
    } catch (UncompiledException e) {
      return new Answer.Unready(e.rules());
    } catch (OutgrownException e) {
      return new Answer.Refused(outgrown(e));
    } catch (RefusedException e) {
      return new Answer.Refused(e.refusal());
    }
  }

  /// Carries out a write on `state`. A write that is refused leaves the state as it is.
  public static Outcome write(State state, Request.Write write, Instant now, Ids ids) {
    return write(new Draft(state, now, ids), write);
  }

  private static Outcome write(Draft draft, Request.Write write) {
    var state = draft.state();
    try {
      var kind = served(state, write.resource());
      var answer = carryOut(draft, kind, write);
      followUp(draft);
      return new Outcome(draft.state(), answer, draft.written());
    } catch (UncompiledException e) {
      return new Outcome(state, new Answer.Unready(e.rules()), List.of());
    } catch (OutgrownException e) {
      return new Outcome(state, new Answer.Refused(outgrown(e)), List.of());
    } catch (RefusedException e) {
      return new Outcome(state, new Answer.Refused(e.refusal()), List.of());
    }
  }

  private static Refusal outgrown(OutgrownException e) {
    return Refusals.tooLarge(
        "Request entity too large: %s (%d characters)"
            .formatted(e.getMessage(), Extent.MOST_CHARACTERS));
  }

  private static Answer carryOut(Draft draft, Served kind, Request.Write write) {
    return switch (write) {
      case Request.Create(_, var namespace, var object, var manager) ->
          new Creation(draft, kind, manager).create(namespace, object);
      case Request.Update(_, var key, var part, var object, var manager) ->
          new Update(draft, kind, part, manager).replace(key, object);
      case Request.Change(_, var key, var part, var patch, var manager, var force) ->
          patch.type() == Patch.Type.APPLY
              ? new Apply(draft, kind, part, manager).apply(key, patch, force)
              : new Update(draft, kind, part, manager).patch(key, patch);
      case Request.Delete(_, var key, var options) ->
          shown(kind, new Deletion(draft, kind.storedAs()).delete(key, options));
      case Request.Made(_, var key, var part, var object, boolean isNew) ->
          isNew
              ? new Creation(draft, kind, "").made(key.namespace(), object)
              : new Update(draft, kind, part, "").made(key, object);
      case Request.DeleteAll all -> new ListDeletion(draft, kind).delete(all);
      case Request.DeleteSeen(var all, var seen) -> new ListDeletion(draft, kind).delete(all, seen);
      case Request.Post post -> new PodPosts(draft).post(post);
      case Request.Guarded(var guarded, var key, long seen) -> {
        long revision = draft.get(kind.storedAs(), key).map(Stored::revision).orElse(0L);
        yield revision == seen ? carryOut(draft, kind, guarded) : new Answer.Overtaken();
      }
    };
  }

  /// What is not created is of no version (API-23).
  private static Answer tried(Answer answer) {
    if (!(answer instanceof Answer.Created(var made))) return answer;
    var object = made.object().deepCopy();
    if (object.get("metadata") instanceof ObjectNode metadata) metadata.remove("resourceVersion");
    return new Answer.Created(Stored.of(made.key(), made.created(), made.revision(), object));
  }

  /// As the version that was asked for shows it.
  private static Answer shown(Served kind, Answer answer) {
    return switch (answer) {
      case Answer.Single(var object) -> new Answer.Single(kind.show(object));
      case Answer.Gone(var last) -> new Answer.Gone(kind.show(last));
      default -> answer;
    };
  }

  /// What each write brings about, and what that brings about in turn.
  private static void followUp(Draft draft) {
    var garbage = new GarbageCollection(draft);
    var namespaces = new NamespaceTermination(draft);
    var definitions = new Definitions(draft);
    var contents = new NamespaceContents(draft);
    var quotas = new QuotaKeeping(draft);
    var addresses = new ServiceAddresses(draft);
    var own = new OwnService(draft);
    for (int i = 0; i < draft.written().size(); i++) {
      garbage.follow(draft.written().get(i));
      namespaces.follow(draft.written().get(i));
      definitions.follow(draft.written().get(i));
      contents.follow(draft.written().get(i));
      quotas.follow(draft.written().get(i));
      addresses.follow(draft.written().get(i));
      own.follow(draft.written().get(i));
    }
  }

  /// Creates what every server has and this one lacks: the first namespaces, what is in every
  /// namespace, and the system's own priorities.
  public static Outcome prepare(State state, Instant now, Ids ids) {
    var draft = new Draft(state, now, ids);
    for (var name : FIRST_NAMESPACES)
      createMissing(draft, Resources.NAMESPACES, name, JsonNodeFactory.instance.objectNode());
    new TreeMap<>(PriorityClassRules.OF_THE_SYSTEM)
        .forEach((name, value) ->
            createMissing(
                draft,
                StoredResources.PRIORITY_CLASSES,
                name,
                JsonNodeFactory.instance.objectNode().put("value", value)));
    for (var namespace : List.copyOf(draft.state().list(Resources.NAMESPACES)))
      new NamespaceContents(draft).furnish(namespace.key().name());
    return new Outcome(draft.state(), new Answer.Done(Refusal.success(200)), draft.written());
  }

  private static void createMissing(
      Draft draft, Resource resource, String name, ObjectNode object) {
    if (draft.get(resource, ObjectKey.cluster(name)).isPresent()) return;
    object.putObject("metadata").put("name", name);
    new Creation(draft, served(draft.state(), resource), SELF).create("", object);
  }

  /// Deletes the next objects of what is being deleted as a whole.
  public static Sweep.Piece sweep(State state, Sweep from, Instant now, Ids ids) {
    var draft = new Draft(state, now, ids);
    var rest = new Sweeping(draft).sweep(from);
    followUp(draft);
    return new Sweep.Piece(
        new Outcome(draft.state(), new Answer.Done(Refusal.success(200)), draft.written()), rest);
  }

  /// Says on a namespace that is being deleted what is left in it.
  public static Outcome tellWhatIsLeft(State state, String namespace, Instant now, Ids ids) {
    var draft = new Draft(state, now, ids);
    new NamespaceTermination(draft).tell(namespace);
    followUp(draft);
    return new Outcome(draft.state(), new Answer.Done(Refusal.success(200)), draft.written());
  }

  private static Served served(State state, Resource resource) {
    return state
        .kinds()
        .find(resource)
        .orElseThrow(() -> new RefusedException(Refusals.notServed()));
  }
}
