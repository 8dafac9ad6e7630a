import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import dev.berth.csi.v1.CsiProto;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Whether our `csi.proto` means the same bytes as another one: every message, field, value and
/// method with its number, type, label and options (GRPC-02). Comments, order and the options of the
/// file are each one's own.
///
///     java SameWire.java UPSTREAM.desc      a FileDescriptorSet, as `protoc --descriptor_set_out`
public final class SameWire {
  /// The one name that is ours, and the entry of the map that follows from it: Java cannot have
  /// both `parameters` and `mutable_parameters` (GRPC-01).
  private static final Map<String, String> RENAMED =
      Map.of(
          "mutable_params", "mutable_parameters", "MutableParamsEntry", "MutableParametersEntry");

  /// What 1.13 no longer has, and we still serve to whoever asks by 1.12 (VH-07). Read as if it were
  /// reserved: 1.13 gives its numbers to nothing else, or this finds it.
  private static final Set<String> SET_ASIDE =
      Set.of(
          "csi.v1.VolumeCondition",
          "csi.v1.ListVolumesResponse.VolumeStatus.volume_condition",
          "csi.v1.ControllerGetVolumeResponse.VolumeStatus.volume_condition",
          "csi.v1.NodeGetVolumeStatsResponse.volume_condition",
          "csi.v1.ControllerServiceCapability.RPC.Type.VOLUME_CONDITION",
          "csi.v1.NodeServiceCapability.RPC.Type.VOLUME_CONDITION");

  private final Map<String, String> facts = new TreeMap<>();

  public static void main(String[] arguments) throws IOException {
    var upstream =
        FileDescriptorSet.parseFrom(Files.readAllBytes(Path.of(arguments[0])))
            .getFileList()
            .stream()
            .filter(it -> it.getPackage().equals("csi.v1"))
            .findFirst()
            .orElseThrow(() -> new IOException(arguments[0] + " holds no package csi.v1"));
    var theirs = new SameWire().read(upstream);
    var ours = new SameWire().read(CsiProto.getDescriptor().toProto());
    var names = new TreeSet<>(theirs.keySet());
    names.addAll(ours.keySet());
    var differences = 0;
    for (var name : names) {
      var their = theirs.getOrDefault(name, "missing");
      var our = ours.getOrDefault(name, "missing");
      if (their.equals(our)) continue;
      differences++;
      System.out.printf("%s%n  theirs %s%n  ours   %s%n", name, their, our);
    }
    System.out.printf("csi.proto: %d facts compared, %d differ%n", names.size(), differences);
    if (differences > 0 || names.isEmpty()) System.exit(1);
  }

  private Map<String, String> read(FileDescriptorProto file) {
    file.getMessageTypeList().forEach(it -> message(file.getPackage(), it));
    file.getEnumTypeList().forEach(it -> enumeration(file.getPackage(), it));
    file.getServiceList().forEach(it -> service(file.getPackage(), it));
    file.getExtensionList()
        .forEach(it ->
            facts.put(
                "extension " + it.getName(), field(it, List.of()) + " of " + it.getExtendee()));
    return facts;
  }

  private void message(String scope, DescriptorProto message) {
    var name = scope + "." + known(message.getName());
    if (SET_ASIDE.contains(name)) return;
    facts.put("message " + name, options(message.getOptions()));
    var oneofs = message.getOneofDeclList().stream().map(it -> it.getName()).toList();
    for (var field : message.getFieldList())
      if (!SET_ASIDE.contains(name + "." + field.getName()))
        facts.put("field " + name + "." + known(field.getName()), field(field, oneofs));
    message.getNestedTypeList().forEach(it -> message(name, it));
    message.getEnumTypeList().forEach(it -> enumeration(name, it));
    facts.put(
        "reserved in " + name,
        "%s %s"
            .formatted(
                message.getReservedNameList(),
                numbers(
                    message.getFieldList().stream()
                        .filter(it -> SET_ASIDE.contains(name + "." + it.getName()))
                        .map(it -> it.getNumber()),
                    message.getReservedRangeList().stream()
                        .flatMap(it -> IntStream.range(it.getStart(), it.getEnd()).boxed()))));
  }

  private static List<Integer> numbers(Stream<Integer> setAside, Stream<Integer> reserved) {
    return Stream.concat(setAside, reserved).sorted().toList();
  }

  private static String known(String name) {
    return RENAMED.getOrDefault(name, name);
  }

  /// The compiler fills it in, the code that it makes leaves out what follows from the name.
  private static String jsonName(FieldDescriptorProto field) {
    if (field.hasJsonName()) return field.getJsonName();
    return Pattern.compile("_(.)")
        .matcher(field.getName())
        .replaceAll(it -> it.group(1).toUpperCase(Locale.ROOT));
  }

  private static String field(FieldDescriptorProto field, List<String> oneofs) {
    return "= %d %s %s %s as %s%s%s"
        .formatted(
            field.getNumber(),
            field.getLabel(),
            field.getType(),
            field.getTypeName().replace("MutableParamsEntry", known("MutableParamsEntry")),
            jsonName(field),
            field.hasOneofIndex() && !oneofs.isEmpty()
                ? " in " + oneofs.get(field.getOneofIndex())
                : "",
            options(field.getOptions()));
  }

  private void enumeration(String scope, EnumDescriptorProto enumeration) {
    var name = scope + "." + enumeration.getName();
    facts.put("enum " + name, options(enumeration.getOptions()));
    for (var value : enumeration.getValueList())
      if (!SET_ASIDE.contains(name + "." + value.getName()))
        facts.put(
            "value " + name + "." + value.getName(),
            "= " + value.getNumber() + options(value.getOptions()));
    facts.put(
        "reserved in " + name,
        numbers(
                enumeration.getValueList().stream()
                    .filter(it -> SET_ASIDE.contains(name + "." + it.getName()))
                    .map(it -> it.getNumber()),
                enumeration.getReservedRangeList().stream()
                    .flatMap(it -> IntStream.rangeClosed(it.getStart(), it.getEnd()).boxed()))
            .toString());
  }

  private void service(String scope, ServiceDescriptorProto service) {
    var name = scope + "." + service.getName();
    facts.put("service " + name, options(service.getOptions()));
    for (var method : service.getMethodList())
      facts.put(
          "method " + name + "." + method.getName(),
          "%s%s -> %s%s%s"
              .formatted(
                  method.getClientStreaming() ? "stream " : "",
                  method.getInputType(),
                  method.getServerStreaming() ? "stream " : "",
                  method.getOutputType(),
                  options(method.getOptions())));
  }

  /// By their bytes: one side may know an extension by name and the other by number only.
  private static String options(Message options) {
    if (options.getSerializedSize() == 0) return "";
    try {
      var plain = UnknownFieldSet.parseFrom(options.toByteString());
      return " [" + plain.toString().replaceAll("\\s+", " ").strip() + "]";
    } catch (InvalidProtocolBufferException impossible) {
      throw new IllegalStateException("options that were just written", impossible);
    }
  }
}
