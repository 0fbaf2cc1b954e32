/**
 * What a program for a Python begins with, so that it imports nothing from the folder that it is started in: for
 * `python -c` that is where modules are looked for first. What PYTHONPATH and the user's own packages have stays.
 *
 * @see https://docs.python.org/3/using/cmdline.html#cmdoption-c `-P`, which does the same, is of Python 3.11
 */
export const forgetFolder = `import sys
if sys.path and sys.path[0] == '':
    del sys.path[0]
`;
