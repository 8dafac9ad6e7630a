package dev.berth.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.berth.csi.socket.SocketThreads;
import dev.berth.csi.v1.ControllerGrpc;
import dev.berth.csi.v1.GroupControllerGrpc;
import dev.berth.csi.v1.IdentityGrpc;
import dev.berth.csi.v1.NodeGrpc;
import dev.berth.csi.v1.SnapshotMetadataGrpc;
import dev.berth.driver.testing.Served;
import dev.berth.driver.testing.ToyDriver;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.PrototypeMarshaller;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Every call with whatever may stand in a message: the answer is one of the codes that tell the
/// caller how to go on, has words, and repeats no secret. A failing seed stays as a row.
class FuzzTest {
  private static final int CALLS = 3000;
  private static final String SECRET = "s3cr3t-word";

  /// Nothing that says "something is wrong in the driver" (INTERNAL, UNKNOWN, UNAVAILABLE).
  private static final Set<Code> FINE =
      EnumSet.of(
          Code.OK,
          Code.INVALID_ARGUMENT,
          Code.NOT_FOUND,
          Code.ALREADY_EXISTS,
          Code.FAILED_PRECONDITION,
          Code.OUT_OF_RANGE,
          Code.RESOURCE_EXHAUSTED,
          Code.ABORTED,
          Code.UNIMPLEMENTED);

  private static final List<String> TEXTS =
      List.of(
          "",
          "vol-0001",
          "vol-0002",
          "snap-0003",
          "toy-node",
          "toy.example.com/zone",
          "a",
          "ext4",
          "speed",
          "known",
          "x".repeat(129),
          "ü".repeat(65),
          "x".repeat(5000),
          "../../etc/passwd",
          "/tmp/target",
          "/tmp/../target",
          "relative/path",
          "a\0b",
          "a\nb",
          "\u202e\ufffe",
          "%s%n{}",
          "'; rm -rf /");

  private static final List<Long> NUMBERS =
      List.of(0L, 1L, -1L, 1L << 20, 4096L, Long.MAX_VALUE, Long.MIN_VALUE);

  private final List<MethodDescriptor<?, ?>> methods =
      Stream.of(
              IdentityGrpc.getServiceDescriptor(),
              ControllerGrpc.getServiceDescriptor(),
              GroupControllerGrpc.getServiceDescriptor(),
              SnapshotMetadataGrpc.getServiceDescriptor(),
              NodeGrpc.getServiceDescriptor())
          .map(ServiceDescriptor::getMethods)
          .<MethodDescriptor<?, ?>>flatMap(all -> all.stream())
          .toList();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void everyAnswerIsOneToGoOnFrom(long seed) throws IOException {
    var random = new Random(seed);
    try (var served = Served.of(new ToyDriver())) {
      var channel = channel(served);
      var codes = EnumSet.noneOf(Code.class);
      for (var i = 0; i < CALLS; i++)
        codes.add(call(channel, methods.get(random.nextInt(methods.size())), random, seed));
      assertThat(codes).contains(Code.OK, Code.INVALID_ARGUMENT, Code.NOT_FOUND);
      channel.shutdownNow();
      assertThat(served.create(Served.wanted("afterwards"))).isNotEmpty();
    }
  }

  private static ManagedChannel channel(Served served) {
    return NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(served.socket))
        .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
        .eventLoopGroup(SocketThreads.group())
        .usePlaintext()
        .overrideAuthority("%2Ftmp%2Fcsi.sock") // UDS-09: as some callers do
        .build();
  }

  private static <Q, A> Code call(
      ManagedChannel channel, MethodDescriptor<Q, A> method, Random random, long seed) {
    var prototype = ((PrototypeMarshaller<Q>) method.getRequestMarshaller()).getMessagePrototype();
    var request = random((Message) prototype, random);
    @SuppressWarnings("unchecked")
    var typed = (Q) request;
    var what = "seed " + seed + ", " + method.getBareMethodName() + " " + request;
    try {
      if (method.getType() == MethodDescriptor.MethodType.UNARY)
        ClientCalls.blockingUnaryCall(channel, method, CallOptions.DEFAULT, typed);
      else
        ClientCalls.blockingServerStreamingCall(channel, method, CallOptions.DEFAULT, typed)
            .forEachRemaining(_ -> {});
      return Code.OK;
    } catch (StatusRuntimeException refused) {
      check(refused.getStatus(), what);
      return refused.getStatus().getCode();
    }
  }

  private static void check(Status status, String what) {
    assertThat(status.getCode()).as(what + ": " + status).isIn(FINE);
    assertThat(status.getDescription()).as(what).isNotBlank().doesNotContain(SECRET);
  }

  private static Message random(Message prototype, Random random) {
    return random(prototype.newBuilderForType(), prototype.getDescriptorForType(), random, 0)
        .build();
  }

  private static Message.Builder random(
      Message.Builder message, Descriptor type, Random random, int depth) {
    for (var field : type.getFields()) {
      if (random.nextInt(10) < 2) continue;
      if (field.isMapField()) addEntries(message, field, random);
      else if (field.isRepeated())
        for (var i = random.nextInt(3); i > 0; i--)
          message.addRepeatedField(field, value(message, field, random, depth));
      else message.setField(field, value(message, field, random, depth));
    }
    return message;
  }

  private static void addEntries(Message.Builder message, FieldDescriptor field, Random random) {
    var secret = field.getName().equals("secrets");
    var keys = new ArrayList<>(TEXTS);
    for (var i = random.nextInt(3); i > 0; i--) {
      var entry = message.newBuilderForField(field);
      var type = field.getMessageType();
      entry.setField(type.findFieldByName("key"), keys.remove(random.nextInt(keys.size())));
      entry.setField(type.findFieldByName("value"), secret ? SECRET : text(random));
      message.addRepeatedField(field, entry.build());
    }
  }

  private static Object value(
      Message.Builder message, FieldDescriptor field, Random random, int depth) {
    return switch (field.getJavaType()) {
      case STRING -> text(random);
      case LONG -> NUMBERS.get(random.nextInt(NUMBERS.size()));
      case INT -> NUMBERS.get(random.nextInt(NUMBERS.size())).intValue();
      case BOOLEAN -> random.nextBoolean();
      case ENUM -> field.getEnumType().findValueByNumberCreatingIfUnknown(random.nextInt(9));
      case MESSAGE ->
          random(message.newBuilderForField(field), field.getMessageType(), random, depth + 1)
              .build();
      default -> throw new IllegalStateException("no CSI field is a " + field.getJavaType());
    };
  }

  private static String text(Random random) {
    return TEXTS.get(random.nextInt(TEXTS.size()));
  }
}
