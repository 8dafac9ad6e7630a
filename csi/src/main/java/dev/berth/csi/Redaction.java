package dev.berth.csi;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.berth.csi.v1.CsiProto;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// One message as it may be told: without what must stay secret (SEC-02, SEC-03).
///
/// Secret is what the protocol marks so with its option `csi_secret`; of mount flags, which the
/// specification allows to hold secrets, all but what is surely an option's name ([MountFlag]); and
/// the tokens of service accounts, which Kubernetes puts into the volume context. The message
/// itself is left as it is.
public final class Redaction {
  /// What stands in place of a secret; upstream's word.
  public static final String STRIPPED = "***stripped***";

  private static final String TOKENS = "csi.storage.k8s.io/serviceAccount.tokens";

  /// Shorter values are too common to be blanked out of prose: `1` or `ro` would spoil it.
  private static final int SHORTEST_TELLTALE = 4;

  private static final int LONGEST_TEXT = 8 * 1024;

  private final Message message;

  private Redaction(Message message) {
    this.message = message;
  }

  public static Redaction of(Message message) {
    return new Redaction(message);
  }

  /// A volume's context as it may be told (SEC-03).
  public static Map<String, String> told(Map<String, String> volumeContext) {
    if (!volumeContext.containsKey(TOKENS)) return volumeContext;
    var told = new TreeMap<>(volumeContext);
    told.put(TOKENS, STRIPPED);
    return told;
  }

  /// The message on one line, as `{volume_id: "v-1", secrets: ***stripped***}`.
  @Override
  public String toString() {
    var text = new StringBuilder();
    append(message, text);
    if (text.length() > LONGEST_TEXT)
      text.replace(LONGEST_TEXT, text.length(), "… " + text.length() + " characters");
    return text.toString();
  }

  /// `text` with every secret of the message blanked out: for errors of back ends and tools, which
  /// like to repeat what they were given.
  public String clean(String text) {
    var cleaned = text;
    var secrets = secrets(message);
    for (var secret : longestFirst(secrets.keySet()))
      if (secret.length() >= SHORTEST_TELLTALE)
        cleaned = cleaned.replace(secret, secrets.getOrDefault(secret, STRIPPED));
    return cleaned;
  }

  private static void append(Message message, StringBuilder text) {
    text.append('{');
    var separator = "";
    for (var field : message.getAllFields().entrySet()) {
      text.append(separator).append(field.getKey().getName()).append(": ");
      if (secret(field.getKey())) text.append(STRIPPED);
      else append(field.getKey(), field.getValue(), text);
      separator = ", ";
    }
    text.append('}');
  }

  private static void append(FieldDescriptor field, Object value, StringBuilder text) {
    if (field.isMapField()) appendMap(entries(value), text);
    else if (mountFlags(field)) appendList(flags(value), text);
    else if (value instanceof List<?> list) appendList(list, text);
    else appendValue(value, text);
  }

  private static void appendMap(Map<String, Object> map, StringBuilder text) {
    text.append('{');
    var separator = "";
    for (var entry : map.entrySet()) {
      text.append(separator);
      appendEscaped(entry.getKey(), text);
      text.append(": ");
      if (entry.getKey().equals(TOKENS)) text.append(STRIPPED);
      else appendValue(entry.getValue(), text);
      separator = ", ";
    }
    text.append('}');
  }

  private static void appendList(List<?> list, StringBuilder text) {
    text.append('[');
    var separator = "";
    for (var value : list) {
      text.append(separator);
      appendValue(value, text);
      separator = ", ";
    }
    text.append(']');
  }

  private static void appendValue(Object value, StringBuilder text) {
    switch (value) {
      case Message nested -> append(nested, text);
      case String string -> appendQuoted(string, text);
      case MountFlag flag -> appendQuoted(flag.toString(), text);
      default -> text.append(value);
    }
  }

  private static void appendQuoted(String string, StringBuilder text) {
    text.append('"');
    appendEscaped(string, text);
    text.append('"');
  }

  /// A caller's text stays on our line, whatever it holds.
  private static void appendEscaped(String string, StringBuilder text) {
    for (var i = 0; i < string.length(); i++) {
      var c = string.charAt(i);
      if (c == '"' || c == '\\') text.append('\\').append(c);
      else if (Character.isISOControl(c)) text.append("\\u%04x".formatted((int) c));
      else text.append(c);
    }
  }

  /// A secret may be the beginning of another: its rest must not stay.
  private static List<String> longestFirst(Set<String> secrets) {
    return secrets.stream().sorted(Comparator.comparingInt(String::length).reversed()).toList();
  }

  /// Each with what stands in its place.
  private static Map<String, String> secrets(Message message) {
    var found = new HashMap<String, String>();
    collect(message, found);
    return found;
  }

  private static void collect(Message message, Map<String, String> found) {
    for (var field : message.getAllFields().entrySet()) {
      var values = values(field.getKey(), field.getValue());
      if (secret(field.getKey())) values.forEach(value -> found.put(value.toString(), STRIPPED));
      else if (mountFlags(field.getKey()))
        flags(field.getValue()).forEach(flag -> flag.secrets().forEach(found::putIfAbsent));
      else if (field.getKey().isMapField()) {
        var token = entries(field.getValue()).get(TOKENS);
        if (token != null) found.put(token.toString(), STRIPPED);
      } else for (var value : values) if (value instanceof Message nested) collect(nested, found);
    }
  }

  private static List<?> values(FieldDescriptor field, Object value) {
    if (field.isMapField()) return List.copyOf(entries(value).values());
    return value instanceof List<?> list ? list : List.of(value);
  }

  /// A map field as its descriptor shows it: a list of entry messages.
  private static Map<String, Object> entries(Object value) {
    var map = new LinkedHashMap<String, Object>();
    for (var entry : (List<?>) value) {
      var fields = new ArrayList<Object>(2);
      var message = (Message) entry;
      for (var field : message.getDescriptorForType().getFields())
        fields.add(message.getField(field));
      map.put(fields.get(0).toString(), fields.get(1));
    }
    return map;
  }

  private static boolean secret(FieldDescriptor field) {
    return field.getOptions().getExtension(CsiProto.csiSecret);
  }

  private static boolean mountFlags(FieldDescriptor field) {
    return field.getName().equals("mount_flags");
  }

  private static List<MountFlag> flags(Object value) {
    return MountFlag.all((List<?>) value);
  }
}
