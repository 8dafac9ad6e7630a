package dev.berth.conform.trial;

import com.google.protobuf.Message;
import dev.berth.csi.Redaction;
import dev.berth.csi.v1.ControllerUnpublishVolumeRequest;
import dev.berth.csi.v1.CreateVolumeRequest;
import dev.berth.csi.v1.NodeUnpublishVolumeRequest;
import dev.berth.csi.v1.NodeUnstageVolumeRequest;
import dev.berth.csi.v1.Snapshot;
import dev.berth.csi.v1.Volume;
import dev.berth.csi.v1.VolumeCapability;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// One check's turn: it calls the driver through this, and this remembers what to show and what to
/// clean up.
public final class Trial {
  private static final int SHOWN = 3;

  private final Settings settings;
  private final Advertised advertised;
  private final Line line;
  private final Requests requests;
  private final Folders folders;
  private final Traces traces = new Traces();
  private final Deque<Exchange> exchanges = new ArrayDeque<>();
  private volatile boolean volumeInvalid;
  private volatile boolean stopped;

  /// @param folder where folders for the driver are made
  public Trial(Settings settings, Advertised advertised, Line line, Path folder) {
    this.settings = settings;
    this.advertised = advertised;
    this.line = line;
    this.requests = new Requests(settings, advertised);
    this.folders = new Folders(folder);
  }

  public Settings settings() {
    return settings;
  }

  public Advertised advertised() {
    return advertised;
  }

  /// Requests that are right as they stand.
  public Requests requests() {
    return requests;
  }

  /// Makes a call.
  public <Q extends Message, A extends Message> Answer<A> send(
      MethodDescriptor<Q, A> rpc, Q request) {
    return send(rpc, request, settings.timeout());
  }

  /// Makes a call that is given up after `patience`.
  public <Q extends Message, A extends Message> Answer<A> send(
      MethodDescriptor<Q, A> rpc, Q request, Duration patience) {
    expect(request);
    var answer = line.send(rpc, request, patience);
    note(rpc, request, answer);
    return answer;
  }

  /// Makes a call that has to succeed.
  public <Q extends Message, A extends Message> A ok(MethodDescriptor<Q, A> rpc, Q request) {
    return succeeded(send(rpc, request));
  }

  /// Makes a call that has to be refused with one of `codes`.
  public <Q extends Message, A extends Message> void refused(
      MethodDescriptor<Q, A> rpc, Q request, Status.Code... codes) {
    var answer = send(rpc, request);
    if (Arrays.asList(codes).contains(answer.code())) return;
    throw new DeviationException(names(codes), "it answered " + answer.code());
  }

  /// Makes a call again and again as long as the answer leaves open what became of it, as a
  /// container orchestrator does. In the end it has to succeed.
  public <Q extends Message, A extends Message> A insist(MethodDescriptor<Q, A> rpc, Q request) {
    return succeeded(Patience.LONG.repeat(() -> send(rpc, request)));
  }

  private static <A extends Message> A succeeded(Answer<A> answer) {
    return answer
        .message()
        .orElseThrow(() -> new DeviationException("OK", "it answered " + answer.code()));
  }

  /// Makes the same call several times at once and waits for all answers.
  public <Q extends Message, A extends Message> List<Answer<A>> together(
      int times, MethodDescriptor<Q, A> rpc, Q request) {
    return together(rpc, IntStream.range(0, times).mapToObj(_ -> request).toList());
  }

  /// Makes calls at once and waits for all answers.
  public <Q extends Message, A extends Message> List<Answer<A>> together(
      MethodDescriptor<Q, A> rpc, List<Q> all) {
    all.forEach(this::expect);
    var calls = all.stream().map(request -> line.begin(rpc, request)).toList();
    var answers = new ArrayList<Answer<A>>();
    for (int i = 0; i < calls.size(); i++) {
      var answer = await(calls.get(i));
      note(rpc, all.get(i), answer);
      answers.add(answer);
    }
    return answers;
  }

  /// Begins a call and cancels it after `delay`, unless it has ended by then.
  public <Q extends Message, A extends Message> Answer<A> cancelled(
      MethodDescriptor<Q, A> rpc, Q request, Duration delay) {
    expect(request);
    var call = line.begin(rpc, request);
    Patience.pause(delay);
    call.cancel(true);
    var answer = await(call);
    note(rpc, request, answer);
    return answer;
  }

  private static <A extends Message> Answer<A> await(Future<A> call) {
    try {
      return Answer.ok(call.get());
    } catch (ExecutionException e) {
      if (e.getCause() instanceof StatusRuntimeException refusal) return Answer.of(refusal);
      throw new IllegalStateException("a call ended without a status", e);
    } catch (CancellationException cancelled) {
      return Answer.of(Status.CANCELLED.withDescription("cancelled by us").asRuntimeException());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoppedException();
    }
  }

  /// Reads a stream to its end.
  public <Q extends Message, A extends Message> Line.Streamed<A> read(
      MethodDescriptor<Q, A> rpc, Q request) {
    if (stopped) throw new StoppedException();
    var streamed = line.read(rpc, request);
    remember(
        rpc,
        request,
        "%d messages, then %s %s"
            .formatted(streamed.messages().size(), streamed.end().code(), streamed.end().words()));
    return streamed;
  }

  private void expect(Message request) {
    if (stopped) throw new StoppedException();
    traces.expect(request);
  }

  private void note(MethodDescriptor<?, ?> rpc, Message request, Answer<?> answer) {
    traces.note(rpc, request, answer);
    if (rpc.equals(Rpcs.CREATE_VOLUME) && answer.code() == Status.Code.INVALID_ARGUMENT)
      volumeInvalid = true;
    var words =
        answer
            .message()
            .map(message -> "OK " + Redaction.of(message))
            .orElseGet(() -> answer.code() + " \"" + answer.words() + "\"");
    remember(rpc, request, words);
  }

  private void remember(MethodDescriptor<?, ?> rpc, Message request, String answered) {
    synchronized (exchanges) {
      if (exchanges.size() == SHOWN) exchanges.removeFirst();
      exchanges.addLast(
          new Exchange(
              String.valueOf(rpc.getBareMethodName()), Redaction.of(request).toString(), answered));
    }
  }

  /// The last few calls, oldest first.
  public List<Exchange> exchanges() {
    synchronized (exchanges) {
      return List.copyOf(exchanges);
    }
  }

  /// Whether a CreateVolume was refused as invalid.
  public boolean volumeWasInvalid() {
    return volumeInvalid;
  }

  /// What has to be so.
  ///
  /// @param expected what the specification asks for, in words
  /// @param found what there is instead
  public void require(boolean holds, String expected, Object found) {
    if (!holds) throw new DeviationException(expected, "found: " + found);
  }

  /// Goes on only if the driver has all of these.
  ///
  /// @throws SkipException if one is missing
  public void needs(Ability... abilities) {
    for (var ability : abilities)
      if (!advertised.has(ability)) throw new SkipException(ability.absence());
  }

  /// A new volume as the run wants them.
  public Volume volume() {
    return volume(requests.volume());
  }

  public Volume volume(CreateVolumeRequest.Builder request) {
    return ok(Rpcs.CREATE_VOLUME, request.build()).getVolume();
  }

  /// A snapshot that can be restored from.
  public Snapshot snapshot(Volume volume) {
    var request = requests.snapshot(volume.getVolumeId()).build();
    var end = System.nanoTime() + settings.timeout().toNanos();
    var snapshot = ok(Rpcs.CREATE_SNAPSHOT, request).getSnapshot();
    while (!snapshot.getReadyToUse()) {
      require(System.nanoTime() < end, "a snapshot that becomes ready to use", snapshot);
      Patience.pause(Duration.ofMillis(200));
      snapshot = ok(Rpcs.CREATE_SNAPSHOT, request).getSnapshot();
    }
    return snapshot;
  }

  /// A new volume that the node beside us may stage or publish.
  public Placement attached() {
    return attached(volume(), requests.use());
  }

  /// A new volume of a mode, attached for it.
  public Placement attached(VolumeCapability use) {
    return attached(
        volume(requests.volume().clearVolumeCapabilities().addVolumeCapabilities(use)), use);
  }

  public Placement attached(Volume volume, VolumeCapability use) {
    needs(Ability.NODE_SERVICE);
    Map<String, String> context = Map.of();
    if (advertised.has(Ability.PUBLISH_UNPUBLISH_VOLUME))
      context =
          ok(
                  Rpcs.CONTROLLER_PUBLISH_VOLUME,
                  requests.publication(volume).setVolumeCapability(use).build())
              .getPublishContextMap();
    return new Placement(
        volume,
        use,
        context,
        folders.staging(),
        folders.target(),
        advertised.has(Ability.STAGE_UNSTAGE_VOLUME));
  }

  /// A new volume that is staged, if the driver stages at all.
  public Placement staged() {
    return staged(attached());
  }

  public Placement staged(Placement attached) {
    if (attached.stages()) ok(Rpcs.NODE_STAGE_VOLUME, attached.stageRequest().build());
    return attached;
  }

  /// A new volume at a path of the node beside us.
  public Placement published() {
    return published(attached());
  }

  public Placement published(Placement attached) {
    staged(attached);
    ok(Rpcs.NODE_PUBLISH_VOLUME, attached.publishRequest().build());
    return attached;
  }

  public void unpublish(Placement placement) {
    ok(
        Rpcs.NODE_UNPUBLISH_VOLUME,
        NodeUnpublishVolumeRequest.newBuilder()
            .setVolumeId(placement.id())
            .setTargetPath(placement.target().toString())
            .build());
  }

  public void unstage(Placement placement) {
    if (placement.stages())
      ok(
          Rpcs.NODE_UNSTAGE_VOLUME,
          NodeUnstageVolumeRequest.newBuilder()
              .setVolumeId(placement.id())
              .setStagingTargetPath(placement.staging().toString())
              .build());
  }

  /// Takes a published volume away from the node.
  public void detach(Placement placement) {
    unpublish(placement);
    unstage(placement);
    if (advertised.has(Ability.PUBLISH_UNPUBLISH_VOLUME))
      ok(
          Rpcs.CONTROLLER_UNPUBLISH_VOLUME,
          ControllerUnpublishVolumeRequest.newBuilder()
              .setVolumeId(placement.id())
              .setNodeId(requests.nodeId())
              .build());
  }

  /// A path to publish a volume at, with nothing there yet.
  public Path freshTarget() {
    return folders.target();
  }

  /// A path of exactly so many bytes to publish a volume at, with nothing there yet.
  public Path freshTarget(int bytes) {
    return folders.target(bytes);
  }

  /// An empty folder to stage a volume at.
  public Path freshStaging() {
    return folders.staging();
  }

  /// Nothing new is begun from now on; the call in flight may end.
  public void stop() {
    stopped = true;
  }

  /// Takes back all that the check made, the latest first.
  ///
  /// @return what could not be taken back, for people
  public List<String> cleanUp() {
    var left = new ArrayList<>(traces.undo(line));
    folders.remove().forEach(folder -> left.add("folder " + folder + " is not empty"));
    return left;
  }

  /// For a driver that is gone: what the check made is still there, wherever that is.
  ///
  /// @return what that is, for people
  public List<String> leaveBehind() {
    var left = new ArrayList<>(traces.giveUp());
    folders.remove().forEach(folder -> left.add("folder " + folder + " is not empty"));
    return left;
  }

  private static String names(Status.Code... codes) {
    return Arrays.stream(codes).map(Status.Code::name).collect(Collectors.joining(" or "));
  }
}
