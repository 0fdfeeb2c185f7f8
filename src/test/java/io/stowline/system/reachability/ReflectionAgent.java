package io.stowline.system.reachability;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Method;
import java.security.ProtectionDomain;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/** An agent that sends each reflective call of a class outside the JDK through {@link ReflectionTrace}. */
public final class ReflectionAgent {

    private static final String TRACE = Type.getInternalName(ReflectionTrace.class);

    /** Names and descriptors of the methods that stand for the calls. */
    private static final Set<String> TRACED = Stream.of(ReflectionTrace.class.getDeclaredMethods())
            .filter(method -> method.isAnnotationPresent(ReflectionTrace.Traced.class))
            .map(ReflectionAgent::traced)
            .collect(Collectors.toUnmodifiableSet());

    private static final Set<String> OWNERS = Set.of(
            "java/lang/Class",
            "java/lang/ClassLoader",
            "java/lang/invoke/MethodHandles$Lookup",
            "java/lang/reflect/Proxy");

    private ReflectionAgent() {}

    /** Called by the JVM before the main class. */
    public static void premain(String output, Instrumentation instrumentation) {
        ReflectionTrace.writeAtExitTo(output);
        instrumentation.addTransformer(new CallSites());
    }

    private static String traced(Method method) {
        return method.getName() + Type.getMethodDescriptor(method);
    }

    private static final class CallSites implements ClassFileTransformer {

        @Override
        public byte @Nullable [] transform(
                @Nullable ClassLoader loader,
                @Nullable String name,
                @Nullable Class<?> redefined,
                @Nullable ProtectionDomain domain,
                byte[] bytes) {
            if (loader == null
                    || name == null
                    || name.contains("$Proxy")
                    || name.startsWith("net/bytebuddy/")
                    || name.startsWith(TRACE)) {
                return null;
            }
            ClassReader reader = new ClassReader(bytes);
            ClassWriter writer = new ClassWriter(reader, 0);
            Calls calls = new Calls(writer, name.replace('/', '.'));
            reader.accept(calls, 0);
            return calls.found ? writer.toByteArray() : null;
        }
    }

    private static final class Calls extends ClassVisitor {

        private final String caller;
        private boolean found;

        Calls(ClassVisitor next, String caller) {
            super(Opcodes.ASM9, next);
            this.caller = caller;
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String method, String descriptor, @Nullable String signature, String @Nullable [] thrown) {
            return new Instructions(super.visitMethod(access, method, descriptor, signature, thrown), this);
        }
    }

    /**
     * Also notes which calls have arguments that the builder of an image computes: a run of literals that begins with the class, or with the name of
     * one.
     */
    private static final class Instructions extends MethodVisitor {

        private static final Set<String> OF_NAMES = Set.of("forName", "loadClass", "findClass", "getResources");

        private final Calls calls;
        private boolean afterClass;
        private boolean afterName;

        Instructions(MethodVisitor next, Calls calls) {
            super(Opcodes.ASM9, next);
            this.calls = calls;
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            String prefix = OWNERS.contains(owner) ? opcode == Opcodes.INVOKESTATIC ? "(" : "(L" + owner + ";" : "";
            String replaced = prefix + descriptor.substring(1).replace(")", "Ljava/lang/String;Z)");
            if (!prefix.isEmpty() && TRACED.contains(name + replaced)) {
                calls.found = true;
                boolean ofName = OF_NAMES.contains(name) || owner.equals("java/lang/ClassLoader");
                super.visitLdcInsn(calls.caller);
                super.visitInsn((ofName ? afterName : afterClass) ? Opcodes.ICONST_1 : Opcodes.ICONST_0);
                super.visitMethodInsn(Opcodes.INVOKESTATIC, TRACE, name, replaced, false);
            } else {
                super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
            }
            keepIf(name.equals("getClassLoader") || owner.equals("java/lang/invoke/MethodType"));
        }

        private void keepIf(boolean literal) {
            afterClass &= literal;
            afterName &= literal;
        }

        @Override
        public void visitMaxs(int stack, int locals) {
            super.visitMaxs(stack + 2, locals);
        }

        @Override
        public void visitLdcInsn(Object value) {
            afterClass |= value instanceof Type;
            afterName |= value instanceof String;
            super.visitLdcInsn(value);
        }

        @Override
        public void visitInsn(int opcode) {
            keepIf(opcode <= Opcodes.ICONST_5 || opcode == Opcodes.DUP || opcode == Opcodes.AASTORE);
            super.visitInsn(opcode);
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
            keepIf(opcode == Opcodes.GETSTATIC && name.equals("TYPE"));
            super.visitFieldInsn(opcode, owner, name, descriptor);
        }

        @Override
        public void visitVarInsn(int opcode, int variable) {
            keepIf(false);
            super.visitVarInsn(opcode, variable);
        }

        @Override
        public void visitJumpInsn(int opcode, Label label) {
            keepIf(false);
            super.visitJumpInsn(opcode, label);
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
            keepIf(false);
            super.visitInvokeDynamicInsn(name, descriptor, bootstrap, arguments);
        }
    }
}
