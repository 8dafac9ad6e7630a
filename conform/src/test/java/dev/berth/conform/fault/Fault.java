package dev.berth.conform.fault;

import com.google.protobuf.Message;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/// What a driver does instead of the right thing.
@FunctionalInterface
interface Fault {
  /// What it answers.
  ///
  /// @throws StatusRuntimeException to refuse
  List<Message> answer(Call call);

  /// Wrong in one call, right in all others.
  record OfCall(MethodDescriptor<?, ?> rpc, Fault fault) implements Fault {
    boolean isAbout(Call call) {
      return call.rpc().getFullMethodName().equals(rpc.getFullMethodName());
    }

    @Override
    public List<Message> answer(Call call) {
      return isAbout(call) ? fault.answer(call) : call.pass();
    }
  }

  static OfCall in(MethodDescriptor<?, ?> rpc, Fault fault) {
    return new OfCall(rpc, fault);
  }

  /// Answers OK where it should refuse.
  static OfCall lenient(MethodDescriptor<?, ?> rpc) {
    return in(
        rpc,
        call -> {
          try {
            return call.pass();
          } catch (StatusRuntimeException refusal) {
            return call.empty();
          }
        });
  }

  /// Answers OK and does nothing.
  static OfCall idle(MethodDescriptor<?, ?> rpc) {
    return in(rpc, Call::empty);
  }

  /// Refuses everything.
  static OfCall refusing(MethodDescriptor<?, ?> rpc, Status.Code code) {
    return refusing(rpc, code, Message.class, _ -> true);
  }

  /// Refuses what it should not.
  static <Q extends Message> OfCall refusing(
      MethodDescriptor<?, ?> rpc, Status.Code code, Class<Q> type, Predicate<Q> which) {
    return in(
        rpc,
        call -> {
          if (which.test(type.cast(call.request()))) throw refusal(code, "refused for no reason");
          return call.pass();
        });
  }

  /// Refuses with another code.
  static OfCall miscoded(MethodDescriptor<?, ?> rpc, Status.Code code) {
    return in(
        rpc,
        call -> {
          try {
            return call.pass();
          } catch (StatusRuntimeException refusal) {
            throw refusal(code, "another code");
          }
        });
  }

  /// Does a thing only once: the same request again is refused.
  static OfCall once(MethodDescriptor<?, ?> rpc, Status.Code code) {
    return once(rpc, code, request -> request);
  }

  /// Does a thing only once for the same `key`.
  static OfCall once(MethodDescriptor<?, ?> rpc, Status.Code code, Function<Message, Object> key) {
    Set<Object> seen = ConcurrentHashMap.newKeySet();
    return in(
        rpc,
        call -> {
          if (!seen.add(key.apply(call.request()))) throw refusal(code, "a second time");
          return call.pass();
        });
  }

  /// Alters what it was asked for.
  static <B extends Message.Builder> OfCall asking(
      MethodDescriptor<?, ?> rpc, Class<B> type, Consumer<B> change) {
    return in(
        rpc,
        call -> {
          var builder = type.cast(call.request().toBuilder());
          change.accept(builder);
          return call.pass(builder.build());
        });
  }

  /// Alters its answers.
  static <B extends Message.Builder> OfCall answering(
      MethodDescriptor<?, ?> rpc, Class<B> type, Consumer<B> change) {
    return answering(rpc, type, (builder, _) -> change.accept(builder));
  }

  /// Alters its answers, a different way each time.
  static <B extends Message.Builder> OfCall answering(
      MethodDescriptor<?, ?> rpc, Class<B> type, BiConsumer<B, Integer> change) {
    var count = new AtomicInteger();
    return in(
        rpc,
        call -> {
          int number = count.incrementAndGet();
          return call.pass().stream()
              .map(message -> {
                var builder = type.cast(message.toBuilder());
                change.accept(builder, number);
                return builder.build();
              })
              .toList();
        });
  }

  /// Leaves single messages of a stream as they are and changes the stream.
  static OfCall streaming(
      MethodDescriptor<?, ?> rpc, Function<List<Message>, List<Message>> change) {
    return in(rpc, call -> change.apply(call.pass()));
  }

  /// Wrong in several calls.
  static Fault all(OfCall... faults) {
    return call ->
        Arrays.stream(faults)
            .filter(fault -> fault.isAbout(call))
            .findFirst()
            .<Fault>map(fault -> fault)
            .orElse(Call::pass)
            .answer(call);
  }

  static StatusRuntimeException refusal(Status.Code code, String words) {
    return code.toStatus().withDescription(words).asRuntimeException();
  }
}
