package dev.berth.apiserver.http.exchange;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.apiserver.core.message.RefusedException;
import dev.berth.apiserver.core.state.Served;
import dev.berth.apiserver.proto.Numbers;
import dev.berth.apiserver.proto.Protobuf;
import dev.berth.apiserver.proto.UnreadableException;
import dev.berth.apiserver.rights.fair.Haste;
import dev.berth.apiserver.rights.fair.Work;
import dev.berth.kube.value.HeldJson;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpHeader;

/// Reads what clients send (API-14, API-20).
public final class Bodies {
  public static final int LIMIT = 3 * 1024 * 1024;

  private static final String JSON_TYPE = "application/json";
  private static final String YAML_TYPE = "application/yaml";
  private static final List<String> TYPES = List.of(JSON_TYPE, YAML_TYPE, Protobuf.MEDIA_TYPE);
  private static final List<String> CUSTOM_TYPES = List.of(JSON_TYPE, YAML_TYPE);

  /// Names and values of a body. Each takes twenty times the memory that it takes as text, at
  /// worst, and so many are more than any object holds that somebody has written.
  static final int MOST_TOKENS = 500_000;

  private static final ObjectMapper JSON =
      HeldJson.mapper(MOST_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  /// As people write it who also write YAML.
  private static final ObjectMapper WITH_COMMAS =
      HeldJson.mapper(MOST_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
          .build();

  /// YAML is loaded by those who send it.
  private static final class Yaml {
    private static final ObjectMapper MAPPER =
        new YAMLMapper(
            YAMLFactory.builder().streamReadConstraints(HeldJson.constraints(MOST_TOKENS)).build());
  }

  private Bodies() {}

  /// @param json what was sent
  /// @param duplicates paths of fields that stand there twice
  /// @param beyond a number in it that clients cannot read; empty: there is none
  public record Body(JsonNode json, List<String> duplicates, String beyond) {
    public Body {
      duplicates = List.copyOf(duplicates);
    }
  }

  /// The body as an object.
  ///
  /// @param what is expected: a Kind, whose group the body itself has to name
  /// @throws RefusedException if there is none, or it cannot be read
  public static Body object(Exchange exchange, String what) throws IOException {
    return object(exchange, what, "", TYPES);
  }

  /// The body as an object of a kind that is served.
  ///
  /// @throws RefusedException if there is none, or it cannot be read
  public static Body object(Exchange exchange, Served kind) throws IOException {
    var resource = kind.resource();
    var types = kind.custom().isPresent() ? CUSTOM_TYPES : TYPES;
    return object(exchange, resource.kind(), resource.apiVersion(), types);
  }

  private static Body object(Exchange exchange, String kind, String apiVersion, List<String> types)
      throws IOException {
    var body = read(exchange, bytes(exchange), kind, apiVersion, types);
    if (body.json() instanceof ObjectNode) return body;
    throw unrecognized(kind, "it is no object");
  }

  private static Body read(
      Exchange exchange, byte[] bytes, String kind, String apiVersion, List<String> types)
      throws IOException {
    var type = mediaType(exchange.header(HttpHeader.CONTENT_TYPE));
    var known = type.isEmpty() ? JSON_TYPE : type;
    if (!types.contains(known)) throw TransportRefusals.unsupportedMediaType(types);
    return recorded(
        exchange,
        switch (known) {
          case JSON_TYPE -> parse(JSON, bytes, kind);
          case YAML_TYPE -> parse(Yaml.MAPPER, bytes, kind);
          default -> protobuf(bytes, kind, apiVersion);
        });
  }

  private static Body recorded(Exchange exchange, Body body) {
    Recording.asked(exchange.request(), body.json());
    return body;
  }

  /// What nobody knows in it is passed over in silence, as upstream does (API-16).
  private static Body protobuf(byte[] bytes, String kind, String apiVersion) {
    try {
      var tree = Protobuf.decode(bytes, apiVersion, kind);
      return new Body(tree, List.of(), Numbers.beyond(tree).orElse(""));
    } catch (UnreadableException unreadable) {
      throw unrecognized(kind, String.valueOf(unreadable.getMessage()));
    }
  }

  /// The body as an object if there is one.
  public static Optional<ObjectNode> optionalObject(Exchange exchange, String what)
      throws IOException {
    var bytes = bytes(exchange);
    if (bytes.length == 0) return Optional.empty();
    var body = read(exchange, bytes, what, "v1", TYPES).json();
    if (body.isNull() || body.isMissingNode()) return Optional.empty();
    if (body instanceof ObjectNode object) return Optional.of(object);
    throw unrecognized(what, "it is no object");
  }

  /// The body as JSON, whatever it says it is: patches always are.
  public static Body patch(Exchange exchange) throws IOException {
    return recorded(exchange, parse(JSON, bytes(exchange), "Patch"));
  }

  /// A configuration that is to be applied, in YAML, of which JSON is a part.
  public static Body configuration(Exchange exchange) throws IOException {
    var bytes = bytes(exchange);
    try {
      return recorded(exchange, configuration(bytes));
    } catch (RefusedException broken) {
      if (broken.refusal().code() != 400) throw broken;
      throw TransportRefusals.badRequest("error decoding patch: " + broken.refusal().message());
    }
  }

  /// What looks like JSON may have a comma before a brace, and be YAML altogether; with tabs, which
  /// our YAML does not have between its words, it is JSON.
  private static Body configuration(byte[] bytes) throws IOException {
    if (bytes.length > 0 && bytes[0] == '{')
      try {
        return parse(WITH_COMMAS, bytes, "Patch");
      } catch (RefusedException broken) {
        if (broken.refusal().code() != 400) throw broken;
      }
    return parse(Yaml.MAPPER, bytes, "Patch");
  }

  /// `application/json` of `application/json; charset=utf-8`.
  public static String mediaType(String contentType) {
    int parameters = contentType.indexOf(';');
    var type = parameters < 0 ? contentType : contentType.substring(0, parameters);
    return type.strip().toLowerCase(Locale.ROOT);
  }

  /// A body that does not come in time ends its request, however busily it trickles (API-20).
  private static byte[] bytes(Exchange exchange) throws IOException {
    var late = new TimeoutException("the request's body has not come in time");
    var alarm = exchange.failAfter(exchange.patience(), late);
    try {
      var whole = readWhole(exchange);
      alarm.cancel();
      begin(Work.of(exchange.request()), whole.length);
      return whole;
    } catch (Haste.OwedException owed) {
      throw TransportRefusals.tooManyRequests(
          "the request's body comes too slowly, and others wait; try again");
    } catch (IOException gone) {
      if (gone.getCause() == late) throw TransportRefusals.requestTimeout(exchange.patience());
      throw gone;
    } finally {
      alarm.cancel();
    }
  }

  /// What has come is worked on from now on.
  private static void begin(Work work, int length) throws IOException {
    try {
      if (length < Intake.SMALL) work.beginBriefly();
      else work.begin();
    } catch (InterruptedException ended) {
      throw (IOException) new InterruptedIOException("while it waited its turn").initCause(ended);
    }
  }

  /// Who is refused in the middle is heard to the end elsewhere: closing would cut the client off.
  private static byte[] readWhole(Exchange exchange) throws IOException {
    var in = new Arrival(exchange.request());
    try {
      return readWhole(exchange, in);
    } catch (IOException ended) {
      in.close();
      throw ended;
    }
  }

  private static byte[] readWhole(Exchange exchange, InputStream in) throws IOException {
    var small = in.readNBytes(Intake.SMALL);
    if (small.length < Intake.SMALL) return small;
    if (exchange.request().getLength() > LIMIT) throw TransportRefusals.bodyTooLarge(LIMIT);
    Intake.large(exchange.request(), LIMIT);
    var rest = in.readNBytes(LIMIT + 1 - small.length);
    if (small.length + rest.length > LIMIT) throw TransportRefusals.bodyTooLarge(LIMIT);
    var all = Arrays.copyOf(small, small.length + rest.length);
    System.arraycopy(rest, 0, all, small.length, rest.length);
    return all;
  }

  private static Body parse(ObjectMapper mapper, byte[] bytes, String what) throws IOException {
    var numbers = new Numbers();
    var reader = mapper.reader().with(numbers);
    try {
      var strict = reader.with(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);
      return new Body(strict.readTree(bytes), List.of(), numbers.beyond());
    } catch (JsonProcessingException broken) {
      if (!isDuplicate(broken)) throw unreadable(broken, what);
      var tree = lenient(reader, bytes, what);
      try (var text = mapper.createParser(bytes)) {
        return new Body(tree, Duplicates.in(text), numbers.beyond());
      }
    }
  }

  private static JsonNode lenient(ObjectReader reader, byte[] bytes, String what)
      throws IOException {
    try {
      return reader.readTree(bytes);
    } catch (JsonProcessingException broken) {
      throw unreadable(broken, what);
    }
  }

  private static RefusedException unreadable(JsonProcessingException broken, String what) {
    var why = broken.getOriginalMessage();
    return broken instanceof StreamConstraintsException && why.startsWith("Token count")
        ? TransportRefusals.tooManyValues(MOST_TOKENS)
        : unrecognized(what, why);
  }

  /// Jackson has no case of its own for it.
  private static boolean isDuplicate(JsonProcessingException broken) {
    return broken.getOriginalMessage().startsWith("Duplicate field '");
  }

  private static RefusedException unrecognized(String what, String why) {
    return TransportRefusals.badRequest(
        "the object provided is unrecognized (must be of type %s): %s".formatted(what, why));
  }
}
