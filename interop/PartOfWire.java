import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import dev.berth.node.runtime.cri.v1.RuntimeProto;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/// Whether all that our `runtime.proto` has means the same bytes as in another one, which has more:
/// every message, field, value and method with its number, type and label.
///
///     java PartOfWire.java UPSTREAM.desc      a FileDescriptorSet, as `protoc --descriptor_set_out`
public final class PartOfWire {
  private final Map<String, String> facts = new TreeMap<>();

  public static void main(String[] arguments) throws IOException {
    var upstream =
        FileDescriptorSet.parseFrom(Files.readAllBytes(Path.of(arguments[0])))
            .getFileList()
            .stream()
            .filter(it -> it.getPackage().equals("runtime.v1"))
            .findFirst()
            .orElseThrow(() -> new IOException(arguments[0] + " holds no package runtime.v1"));
    var theirs = new PartOfWire().read(upstream);
    var ours = new PartOfWire().read(RuntimeProto.getDescriptor().toProto());
    var differences = 0;
    for (var our : ours.entrySet()) {
      var their = theirs.getOrDefault(our.getKey(), "missing");
      if (their.equals(our.getValue())) continue;
      differences++;
      System.out.printf("%s%n  theirs %s%n  ours   %s%n", our.getKey(), their, our.getValue());
    }
    System.out.printf(
        "runtime.proto: %d facts of %d compared, %d differ%n",
        ours.size(), theirs.size(), differences);
    if (differences > 0 || ours.isEmpty()) System.exit(1);
  }

  private Map<String, String> read(FileDescriptorProto file) {
    file.getMessageTypeList().forEach(it -> message(file.getPackage(), it));
    file.getEnumTypeList().forEach(it -> enumeration(file.getPackage(), it));
    for (var service : file.getServiceList())
      for (var method : service.getMethodList())
        facts.put(
            "method " + service.getName() + "." + method.getName(),
            "%s -> %s%s"
                .formatted(
                    method.getInputType(),
                    method.getServerStreaming() ? "stream " : "",
                    method.getOutputType()));
    return facts;
  }

  private void message(String scope, DescriptorProto message) {
    var name = scope + "." + message.getName();
    facts.put("message " + name, "");
    for (var field : message.getFieldList())
      facts.put(
          "field " + name + "." + field.getName(),
          "= %d %s %s %s%s"
              .formatted(
                  field.getNumber(),
                  field.getLabel(),
                  field.getType(),
                  field.getTypeName(),
                  field.getOptions().getDebugRedact() ? " redacted" : ""));
    message.getNestedTypeList().forEach(it -> message(name, it));
    message.getEnumTypeList().forEach(it -> enumeration(name, it));
  }

  /// All values: an engine that answers one that we lack would be misunderstood.
  private void enumeration(String scope, EnumDescriptorProto enumeration) {
    var values = new TreeMap<Integer, String>();
    enumeration.getValueList().forEach(it -> values.put(it.getNumber(), it.getName()));
    facts.put("enum " + scope + "." + enumeration.getName(), values.toString());
  }
}
