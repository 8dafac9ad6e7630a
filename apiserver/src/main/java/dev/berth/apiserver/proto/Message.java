package dev.berth.apiserver.proto;

import dev.berth.apiserver.schema.Schema;
import dev.berth.apiserver.schema.Schemas;
import dev.berth.apiserver.schema.Structure;
import dev.berth.apiserver.schema.Structure.Field;
import dev.berth.apiserver.schema.Topology;
import dev.berth.apiserver.schema.Wire;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/// A structure as protobuf sees it: what stands under each field number. Made once for each
/// structure, by who first needs it.
final class Message {
  private static final Map<String, Message> MADE = new ConcurrentHashMap<>();

  private final TreeMap<Integer, Slot> slots = new TreeMap<>();

  private Message() {}

  /// What a field number stands for.
  sealed interface Slot {
    /// A field of the object.
    record Value(Field field) implements Slot {}

    /// Fields of the same object that upstream keeps in a message of their own.
    record Inner(Message fields) implements Slot {}
  }

  static Message of(Structure structure) {
    var made = MADE.get(structure.qualifiedName());
    if (made != null) return made;
    var message = new Message();
    for (var field : structure.fields())
      if (!field.wire().numbers().isEmpty()) message.add(field, field.wire().numbers());
    MADE.put(structure.qualifiedName(), message);
    return message;
  }

  /// A list of objects: every kind's list has these two fields.
  static Message listOf(Structure item) {
    var message = new Message();
    var items = new Schema.ListOf(new Schema.Reference(item.qualifiedName()));
    message.add(field("metadata", new Schema.Reference("ListMeta"), 1), List.of(1));
    message.add(field("items", items, 2), List.of(2));
    return message;
  }

  private static Field field(String name, Schema schema, int number) {
    var wire = new Wire(List.of(number), Wire.Form.PLAIN, Wire.Zero.ABSENT);
    return new Field(name, schema, true, wire, "", "", new Topology.Plain(), "");
  }

  static Message of(Schema.Reference reference) {
    return of(Schemas.structure(reference.structure()));
  }

  private void add(Field field, List<Integer> numbers) {
    int number = numbers.getFirst();
    if (numbers.size() == 1) {
      slots.put(number, new Slot.Value(field));
      return;
    }
    var inner = slots.computeIfAbsent(number, _ -> new Slot.Inner(new Message()));
    switch (inner) {
      case Slot.Inner(var message) -> message.add(field, numbers.subList(1, numbers.size()));
      case Slot.Value(var other) ->
          throw new IllegalStateException(field.name() + " stands inside " + other.name());
    }
  }

  /// By field number, ascending.
  Map<Integer, Slot> slots() {
    return slots;
  }
}
