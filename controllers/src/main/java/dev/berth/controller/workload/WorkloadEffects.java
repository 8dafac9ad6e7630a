package dev.berth.controller.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.controller.Means;
import dev.berth.controller.workload.WorkloadEffect.Adopt;
import dev.berth.controller.workload.WorkloadEffect.Birth;
import dev.berth.controller.workload.WorkloadEffect.Change;
import dev.berth.controller.workload.WorkloadEffect.Death;
import dev.berth.controller.workload.WorkloadEffect.Make;
import dev.berth.controller.workload.WorkloadEffect.Remove;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.api.Revision;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Effects;
import dev.berth.kube.object.Meta;
import java.util.Optional;
import java.util.OptionalLong;

/// Makes, changes and deletes for workloads.
public record WorkloadEffects(Means means) implements Effects<WorkloadEffect> {
  @Override
  public void carryOut(WorkloadEffect effect) {
    switch (effect) {
      case Make(var births) -> births.forEach(this::make);
      case Remove(var deaths) -> deaths.forEach(this::remove);
      case Change change -> change(change);
      case Adopt adopt -> adopt(adopt);
    }
  }

  /// A name that is taken, or a write that came second, is for the next look to see; whatever else
  /// keeps the object from being made its author has to hear (API-11).
  private void make(Birth birth) {
    try {
      means.api().create(birth.resource(), birth.object());
    } catch (ApiException.LostRace taken) {
      throw taken;
    } catch (ApiException refused) {
      tell(birth.failed(), refused);
      throw refused;
    }
    birth.made().ifPresent(means.events()::tell);
  }

  private void remove(Death death) {
    var object = death.object();
    try {
      means.api().delete(object.resource(), object.key(), withAllItHas(object.uid()));
    } catch (ApiException.LostRace another) {
      throw another;
    } catch (ApiException refused) {
      if (refused.saysGone(object.resource(), object.key())) return;
      tell(death.failed(), refused);
      throw refused;
    }
    death.gone().ifPresent(means.events()::tell);
  }

  /// A Job would leave its pods behind otherwise.
  private static DeleteOptions withAllItHas(String uid) {
    return new DeleteOptions(
        Optional.of(uid), Optional.empty(), OptionalLong.empty(), Optional.of("Background"));
  }

  private void tell(Optional<Notice> notice, ApiException why) {
    notice.ifPresent(it ->
        means
            .events()
            .tell(
                new Notice(
                    it.about(),
                    it.type(),
                    it.reason(),
                    it.message() + why.getMessage(),
                    it.component())));
  }

  private void change(Change change) {
    var api = means.api();
    var resource = change.resource();
    var key = change.object().key();
    try {
      switch (change.part()) {
        case OBJECT -> api.patch(resource, key, Patch.merge(body(change)));
        case LISTS -> api.patch(resource, key, Patch.strategic(body(change)));
        case STATUS -> api.patchStatus(resource, key, Patch.merge(body(change)));
      }
    } catch (ApiException refused) {
      if (refused.saysGone(resource, key)) return;
      throw refused;
    }
    change.told().ifPresent(means.events()::tell);
  }

  private static ObjectNode body(Change change) {
    Revision seen = change.object();
    ObjectNode body = change.body().deepCopy();
    body.withObject("/metadata")
        .put("uid", seen.uid())
        .put("resourceVersion", seen.resourceVersion());
    return body;
  }

  private void adopt(Adopt adopt) {
    var taker = adopt.taker();
    Meta now;
    try {
      now = Meta.of(means.api().get(taker.resource(), taker.key()));
    } catch (ApiException refused) {
      if (refused.saysGone(taker.resource(), taker.key()))
        throw new ApiException.LostRace(taker + " is gone");
      throw refused;
    }
    if (!now.uid().equals(taker.uid()) || now.deleting())
      throw new ApiException.LostRace(taker + " is not what it was, and takes nothing");
    change(adopt.change());
  }
}
