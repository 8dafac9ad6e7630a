package dev.berth.explain;

import dev.berth.kube.loop.Wait;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Loads our classes anew, with a word to [WaitOrigins] wherever a wait begins or becomes another.
final class MarkingLoader extends ClassLoader {
  private static final String OURS = "dev.berth.";
  private static final String WAIT = Wait.class.getName();
  private static final String SENTENCE = Wait.Sentence.class.getName();
  private static final ClassDesc ORIGINS = ClassDesc.of(WaitOrigins.class.getName());

  MarkingLoader(ClassLoader parent) {
    super(parent);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(OURS)) return super.loadClass(name, resolve);
    synchronized (getClassLoadingLock(name)) {
      var loaded = findLoadedClass(name);
      if (loaded != null) return loaded;
      var bytes = bytes(name);
      var marked = marked(name, ClassFile.of().parse(bytes), bytes);
      return defineClass(name, marked, 0, marked.length);
    }
  }

  private byte[] bytes(String name) throws ClassNotFoundException {
    try (var in = getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) throw new ClassNotFoundException(name);
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] marked(String name, ClassModel model, byte[] unmarked) {
    if (name.equals(WAIT) || name.equals(SENTENCE))
      return ClassFile.of()
          .transformClass(
              model,
              ClassTransform.transformingMethodBodies(
                  MarkingLoader::becomesAnother, CodeTransform.ofStateful(Becoming::new)));
    if (beginnings(model).isEmpty()) return unmarked;
    return ClassFile.of()
        .transformClass(
            model,
            (classes, element) -> {
              if (element instanceof MethodModel method)
                classes.transformMethod(
                    method,
                    MethodTransform.transformingCode(
                        CodeTransform.ofStateful(() -> new Beginning(model, method))));
              else classes.with(element);
            });
  }

  /// Where in a class waits begin.
  static List<String> beginnings(ClassModel model) {
    var found = new ArrayList<String>();
    if (name(model).equals(WAIT)) return found;
    for (var method : model.methods())
      method
          .code()
          .ifPresent(code -> {
            var beginning = new Beginning(model, method);
            for (var element : code) beginning.follow(element, found::add);
          });
    return found;
  }

  static String name(ClassModel model) {
    return model.thisClass().asInternalName().replace('/', '.');
  }

  private static boolean becomesAnother(MethodModel method) {
    var returned = method.methodTypeSymbol().returnType();
    return !method.flags().has(AccessFlag.STATIC)
        && (returned.equals(ClassDesc.of(WAIT)) || returned.equals(ClassDesc.of(SENTENCE)));
  }

  private static final class Beginning implements CodeTransform {
    private final String place;
    private int line;

    Beginning(ClassModel model, MethodModel method) {
      this.place = name(model) + "." + method.methodName().stringValue() + ":";
    }

    void follow(CodeElement element, Consumer<String> begins) {
      if (element instanceof LineNumber at) line = at.line();
      if (element instanceof InvokeInstruction call
          && call.owner().asInternalName().replace('/', '.').equals(WAIT)
          && call.name().equalsString("on")
          && call.typeSymbol().returnType().equals(ClassDesc.of(SENTENCE)))
        begins.accept(place + line);
    }

    @Override
    public void accept(CodeBuilder code, CodeElement element) {
      code.with(element);
      follow(
          element,
          where ->
              code.dup()
                  .loadConstant(where)
                  .invokestatic(
                      ORIGINS,
                      "made",
                      MethodTypeDesc.of(
                          ConstantDescs.CD_void,
                          ConstantDescs.CD_Object,
                          ConstantDescs.CD_String)));
    }
  }

  private static final class Becoming implements CodeTransform {
    @Override
    public void accept(CodeBuilder code, CodeElement element) {
      if (element instanceof ReturnInstruction)
        code.dup()
            .aload(0)
            .invokestatic(
                ORIGINS,
                "derived",
                MethodTypeDesc.of(
                    ConstantDescs.CD_void, ConstantDescs.CD_Object, ConstantDescs.CD_Object));
      code.with(element);
    }
  }
}
