package dev.berth.simulation.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.local.LocalApi;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.api.Selector;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.value.Json;
import dev.berth.simulation.time.Killed;
import dev.berth.simulation.time.SimulatedProcess;
import dev.berth.simulation.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One process's way to the API server. Each request takes time on its way there and back; the
/// process may die on either way, and with it whoever waited for the answer; what was on its way to
/// the server may arrive there afterwards.
final class SimulatedApi implements Api {
  private final SimulatedServer server;
  private final VirtualTime time;
  private final SimulatedProcess process;
  private final Set<Line> lines = new LinkedHashSet<>();

  /// Whether a request may arrive when nobody waits for it any more. One that changes an object can
  /// say which version of it; one that makes an object has nothing to say it of, so that nobody can
  /// take it back.
  private enum Belated {
    PERHAPS,
    NEVER
  }

  SimulatedApi(SimulatedServer server, VirtualTime time, SimulatedProcess process) {
    this.server = server;
    this.time = time;
    this.process = process;
  }

  private <T> T read(Function<Api, T> request) {
    var network = server.network();
    process.pause(time.upTo(network.slowest()));
    if (time.chance(network.losesRequests())) throw lost("request");
    var answer = request.apply(local());
    process.pause(time.upTo(network.slowest()));
    return answer;
  }

  private <T> T write(String verb, Resource resource, Belated belated, Function<Api, T> request) {
    var network = server.network();
    var what = process.name() + ": " + verb + " " + resource.plural();
    boolean sent = !process.isDead();
    try {
      process.pause(time.upTo(network.slowest()));
    } catch (Killed killed) {
      if (sent) straggle(what, belated, request);
      throw killed;
    }
    if (time.chance(network.losesRequests())) {
      straggle(what, belated, request);
      throw lost("request");
    }
    if (time.chance(network.conflicts()))
      throw new ApiException.LostRace("the object has been modified; please apply again");
    T answer;
    try {
      answer = request.apply(local());
    } catch (ApiException.LostRace lost) {
      server.noteLoss(what);
      throw lost;
    }
    server.note(what);
    process.pause(time.upTo(network.slowest()));
    if (time.chance(network.losesAnswers())) throw lost("answer");
    return answer;
  }

  /// Every other request that nobody waits for any more arrives all the same: after its sender has
  /// begun anew, for all that anybody knows.
  private void straggle(String what, Belated belated, Function<Api, ?> request) {
    if (belated == Belated.NEVER || !time.chance(0.5)) return;
    Runnable arrival =
        () -> {
          try {
            var _ = request.apply(local());
            server.note(what + ", late");
          } catch (ApiException refused) {
            // nobody hears of it
          }
        };
    time.after(time.upTo(server.network().laziest()), arrival);
  }

  private LocalApi local() {
    return new LocalApi(server.current(), this::showLater);
  }

  /// Mostly at once, sometimes as late as it gets.
  private void showLater(Runnable delivery) {
    var network = server.network();
    var latest = time.chance(0.05) ? network.laziest() : network.slowest();
    process.after(time.upTo(latest), delivery);
  }

  private static ApiException lost(String what) {
    var message = "the " + what + " was lost";
    return new ApiException.Unreachable(message, new IOException(message));
  }

  @Override
  public ObjectNode get(Resource resource, ObjectKey key) {
    return read(api -> api.get(resource, key));
  }

  @Override
  public Listing list(Resource resource, String namespace, Selector selector) {
    return read(api -> api.list(resource, namespace, selector));
  }

  @Override
  public Watch watch(
      Resource resource,
      String namespace,
      Selector selector,
      String resourceVersion,
      Watcher watcher) {
    var line = new Line(watcher);
    return read(api -> {
      lines.add(line);
      line.watch = api.watch(resource, namespace, selector, resourceVersion, line);
      return line;
    });
  }

  @Override
  public ObjectNode create(Resource resource, ObjectNode object) {
    var reason = Json.text(object, "reason"); // an event's
    return write(
        reason.isEmpty() ? "create" : "create " + reason,
        resource,
        reason.isEmpty() ? Belated.NEVER : Belated.PERHAPS,
        api -> api.create(resource, object));
  }

  @Override
  public ObjectNode update(Resource resource, ObjectNode object) {
    return write("update", resource, Belated.PERHAPS, api -> api.update(resource, object));
  }

  @Override
  public ObjectNode updateStatus(Resource resource, ObjectNode object) {
    return write(
        "update status of", resource, Belated.PERHAPS, api -> api.updateStatus(resource, object));
  }

  @Override
  public ObjectNode patch(Resource resource, ObjectKey key, Patch patch) {
    return write("patch", resource, Belated.PERHAPS, api -> api.patch(resource, key, patch));
  }

  @Override
  public ObjectNode patchStatus(Resource resource, ObjectKey key, Patch patch) {
    return write(
        "patch status of", resource, Belated.PERHAPS, api -> api.patchStatus(resource, key, patch));
  }

  @Override
  public Deleted delete(Resource resource, ObjectKey key, DeleteOptions options) {
    return write("delete", resource, Belated.PERHAPS, api -> api.delete(resource, key, options));
  }

  @Override
  public JsonNode post(Resource resource, ObjectKey key, String subresource, ObjectNode body) {
    return write(
        subresource + " of",
        resource,
        Belated.NEVER,
        api -> api.post(resource, key, subresource, body));
  }

  /// Cuts every watch; what was still on its way is lost.
  void cutWatches() {
    for (var line : List.copyOf(lines)) {
      line.close();
      process.after(Duration.ZERO, () -> line.watcher.closed(time.chance(0.7)));
    }
  }

  void endWatches() {
    for (var line : List.copyOf(lines)) line.close();
  }

  /// One watch.
  private final class Line implements Watch, Watcher {
    private final Watcher watcher;
    private @Nullable Watch watch;
    private boolean cut;

    Line(Watcher watcher) {
      this.watcher = watcher;
    }

    @Override
    public void close() {
      cut = true;
      lines.remove(this);
      if (watch != null) watch.close();
    }

    @Override
    public void added(ObjectNode object) {
      if (!cut) watcher.added(object);
    }

    @Override
    public void modified(ObjectNode object) {
      if (!cut) watcher.modified(object);
    }

    @Override
    public void deleted(ObjectNode object) {
      if (!cut) watcher.deleted(object);
    }

    @Override
    public void bookmark(String resourceVersion) {
      if (!cut) watcher.bookmark(resourceVersion);
    }

    @Override
    public void closed(boolean resumable) {
      if (cut) return;
      close();
      watcher.closed(resumable);
    }
  }
}
